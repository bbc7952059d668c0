# SPDX-License-Identifier: BSD-3-Clause
# regions.py - all that iotrace.py has; says what a program without it would.
import os
import threading

import iotrace

out = os.open("written", os.O_WRONLY | os.O_CREAT, 0o600)


def write(n):
    os.write(out, b"x" * n)


@iotrace.region("decorated")
def decorated(n, more=0):
    """a text of its own"""
    write(n + more)
    return n


with iotrace.region("with") as inside:
    write(1)
    with iotrace.region("with"):
        write(2)
    assert inside.name == "with"
    assert decorated(3, more=1) == 3
write(5)

# what leaves by an exception has ended
try:
    with iotrace.region("left"):
        raise ValueError
except ValueError:
    write(6)

# what one function begins another ends; None is the innermost of all
iotrace.begin("outer")
iotrace.begin(b"bytes")
iotrace.begin("größe \udcff")
write(7)
iotrace.end()
write(8)
iotrace.end("outer")
iotrace.end("none of that name")
write(9)

iotrace.mark("a mark")
iotrace.pause()
write(10)
iotrace.resume()


def thread():
    write(11)
    with iotrace.region("thread"):
        write(12)


with iotrace.region("main"):
    other = threading.Thread(target=thread)
    other.start()
    other.join()
    write(13)
assert decorated.__name__ == "decorated" and decorated.__doc__ == "a text of its own"
print("done")
