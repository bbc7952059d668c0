# SPDX-License-Identifier: BSD-3-Clause
# Calls from all that Python runs code by.  at() notes the frames of its caller, as Python
# has them, which are those of the call that its result goes to; what was noted goes to
# the file noted of DIRECTORY.
#	calls.py DIRECTORY [between.so]
import atexit
import concurrent.futures
import contextlib
import functools
import itertools
import json
import os
import signal
import subprocess
import sys
import threading
import zipfile

where = os.path.abspath(sys.argv[1])
# a static Python has no modules of C but its own
if len(sys.argv) > 2:
    import asyncio
    import ctypes
    between = ctypes.CDLL(sys.argv[2])
    between.of_c.argtypes = [ctypes.c_char_p]
numbers = itertools.count()
noted = []


def at(call="stat", path=None, result=None):
    """Notes the stack; returns the path of a file that is not there, or result."""
    frame, stack = sys._getframe(1), []
    while frame:
        stack.append([frame.f_code.co_qualname, frame.f_code.co_filename, frame.f_lineno])
        frame = frame.f_back
    made = path is None
    if made:
        path = "%s/n%d.%d" % (where, os.getpid(), next(numbers))
    noted.append({"call": call, "path": path, "stack": stack})
    return path if made else result


def stat(path):
    with contextlib.suppress(FileNotFoundError):
        os.stat(path)


def exists(path):       # a function of C's
    return os.access(path, os.F_OK)


def nested():
    def inner():
        return os.access(at("access"), 0)
    return inner()


def deep(n):
    return deep(n - 1) if n else os.access(at("access"), 0)


class Thing:
    def __init__(self):
        os.access(at("access"), 0)

    def method(self):
        return os.access(at("access"), 0)

    @classmethod
    def of_class(cls):
        return os.access(at("access"), 0)

    @staticmethod
    def of_none():
        return os.access(at("access"), 0)

    @property
    def value(self):
        return os.access(at("access"), 0)

    def __getattr__(self, name):
        return os.access(at("access"), 0)

    def __lt__(self, other):
        return os.access(at("access"), 0)

    def __enter__(self):
        return os.access(at("access"), 0)

    def __exit__(self, *what):
        return os.access(at("access"), 0)

    def __call__(self, *what):
        return os.access(at("access"), 0)

    def __del__(self):
        os.access(at("access"), 0)


def things():
    thing = Thing()
    thing.method()
    Thing.of_class()
    Thing.of_none()
    thing.value
    thing.nothing
    thing < thing
    sorted([thing, thing])
    with thing:
        thing()
    functools.partial(thing, 1)()
    del thing
    Thing().method()


def counting(n):
    for i in range(n):
        os.access(at("access"), 0)
        yield os.access(at("access"), 0)
        os.access(at("access"), 0)


def delegating(n):
    yield from counting(n)
    os.access(at("access"), 0)


def generators():
    for _ in counting(2):
        os.access(at("access"), 0)
    list(delegating(2))
    sum(counting(2))
    next(x for x in [os.access(at("access"), 0) for _ in range(2)])
    [os.access(at("access"), 0) for _ in counting(1)]
    {os.access(at("access"), 0): 1 for _ in delegating(1)}
    all((os.access(at("access"), 0), 1) for _ in range(2))


def from_c():
    sorted([3, 1, 2], key=lambda n: os.access(at("access"), 0))
    list(map(lambda n: os.access(at("access"), 0), range(2)))
    functools.reduce(lambda a, b: os.access(at("access"), 0), range(3))
    max([1, 2], key=lambda n: sorted([1, 2], key=lambda m: os.access(at("access"), 0))[0])
    if len(sys.argv) == 2:
        return
    call = ctypes.CFUNCTYPE(ctypes.c_int, ctypes.c_int)
    between.between(call(lambda n: os.access(at("access"), 0)), 3)
    between.between(call(lambda n: between.between(call(lambda m: os.access(at("access"), 0)), 2)), 2)
    between.of_c(at("access").encode())
    # threads of C's, with Python in between
    for _ in range(3):
        between.threads(call(lambda n: os.access(at("access"), 0)), 2)


def lines():
    for _ in range(5):
        os.access(at("access"), 0)
        os.access(at("access"), 0); os.access(at("access"), 0)
        (os.access(at("access"),
                   0))


def texts():
    """Code that is compiled, run and freed, and lies where another lay."""
    for i in range(20):
        exec("\n" * i + "os.access(at('access'), 0)")
    for i in range(20):
        exec(compile("os.access(at('access'), 0)", "text%02d" % i, "exec"))
    for i in range(20):
        space = dict(globals())
        exec("def f%02d(): return os.access(at('access'), 0)\nf%02d()" % (i, i), space)
    eval("os.access(at('access'), 0)")
    exec(compile("os.access(at('access'), 0)", "\N{GREEK SMALL LETTER PI}\U0001f40d\udcff", "exec"))
    exec("def \N{GREEK SMALL LETTER PI}(): os.access(at('access'), 0)\n\N{GREEK SMALL LETTER PI}()")


def modules():
    archive = where + "/archive.zip"
    with zipfile.ZipFile(archive, "w") as z:
        z.writestr("zipped.py", "import os\ndef f(at):\n\n    return os.access(at('access'), 0)\n")
    sys.path.insert(0, archive)
    import zipped
    zipped.f(at)
    long = where + "/" + "d" * 200
    os.mkdir(long)
    with open(long + "/longer.py", "w") as f:
        f.write("import os, __main__\n" + "#\n" * 3000 + "os.access(__main__.at('access'), 0)\n")
    sys.path.insert(0, long)
    import longer


def files():
    names = [where + "/file%d" % n for n in range(4)]
    f = open(at("open", names[0], names[0]), "wb", buffering=0)
    f.write(at("write", names[0], b"0123456789"))
    os.pwrite(f.fileno(), at("pwrite", names[0], b"x"), 5)
    os.fsync(at("fsync", names[0], f.fileno()))
    os.lseek(f.fileno(), at("lseek", names[0], 0), 0)
    f.close(*at("close", names[0], ()))
    with open(at("open", names[1], names[1]), "w") as f:
        f.write("x" * 100)
        f.flush(*at("write", names[1], ()))
    os.rename(names[1], names[2])
    with open(at("open", names[2], names[2])) as f:
        at("read", names[2]); f.read()


def handlers():
    def handle(number, frame):
        os.access(at("access"), 0)
    signal.signal(signal.SIGUSR1, handle)
    for _ in range(2):
        signal.raise_signal(signal.SIGUSR1)
        os.kill(os.getpid(), signal.SIGUSR1)


def interrupted():
    """The interpreter's own handler of C writes to a pipe, wherever that finds it."""
    r, w = os.pipe2(os.O_NONBLOCK)
    n = 0

    def handle(number, frame):
        nonlocal n
        n += 1
    signal.signal(signal.SIGALRM, handle)
    signal.set_wakeup_fd(w, warn_on_full_buffer=False)
    signal.setitimer(signal.ITIMER_REAL, 0.0005, 0.0005)
    while n < 200:
        sorted(deeper(20) for _ in range(5))
    signal.setitimer(signal.ITIMER_REAL, 0)
    signal.set_wakeup_fd(-1)


def deeper(n):
    return [lambda: n, deeper(n - 1)] and 1 if n else 0


def worker(n):
    for _ in range(n):
        os.access(at("access"), 0)
        things()
        generators()


def threads():
    several = [threading.Thread(target=worker, args=(3,)) for _ in range(4)]
    for thread in several:
        thread.start()
    for thread in several:
        thread.join()
    with concurrent.futures.ThreadPoolExecutor(3) as pool:
        list(pool.map(lambda n: os.access(at("access"), 0), range(9)))


async def leaf(n):
    await asyncio.sleep(0)
    os.access(at("access"), 0)
    return n


async def middle(n):
    async with contextlib.AsyncExitStack():
        os.access(at("access"), 0)
        return await leaf(n)


async def numbers_of(n):
    for i in range(n):
        yield await leaf(i)


async def tasks():
    await asyncio.gather(*(middle(n) for n in range(3)))
    async for _ in numbers_of(2):
        os.access(at("access"), 0)
    await asyncio.get_running_loop().run_in_executor(None, lambda: os.access(at("access"), 0))


def interpreters():
    try:
        import _interpreters as many
        run = many.exec
    except ImportError:
        import _xxsubinterpreters as many
        run = many.run_string
    for _ in range(2):
        other = many.create()
        for i in range(2):
            path = at("access")
            text = "\n" * i + "import os\ndef f():\n    os.access(%r, 0)\nf()" % path
            noted[-1]["stack"] = [["f", "<string>", 3 + i], ["<module>", "<string>", 4 + i]] + noted[-1]["stack"]
            noted[-1]["stack"][2][2] += 4
            run(other, text)
        many.destroy(other)


def processes():
    child = os.fork()
    if not child:
        noted.clear()
        things()
        texts()
        save("noted.child")
        os._exit(0)
    os.waitpid(child, 0)
    subprocess.run(["true"], check=True)
    os.access(at("access"), 0)


def ends():
    os.access(at("access"), 0)


def save(name="noted"):
    with open(where + "/" + name, "w") as f:
        json.dump(noted, f)


def main():
    """What is done between what."""
    nested()
    deep(30)
    things()
    generators()
    from_c()
    lines()
    texts()
    modules()
    files()
    handlers()
    interrupted()
    threads()
    if len(sys.argv) > 2:
        asyncio.run(tasks())
        interpreters()
    processes()
    (lambda: os.access(at("access"), 0))()


main()
atexit.register(save)
atexit.register(ends)
