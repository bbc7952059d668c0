#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""follow.py - the calls of programs while they run, by ctypes: "PID CALL FILE", one a line.

	python3 follow.py DIRECTORY	# or logs; as iotrace-cat -f

Ends when no process writes a log there any more.  LIBIOTRACE_READ names the library if
it is not where the loader looks.
"""
import ctypes
import os
import sys
import time
from ctypes import POINTER, c_bool, c_char_p, c_int, c_size_t, c_uint, c_uint32, c_uint64, c_void_p


class Schema(ctypes.Structure):
    """The beginning of struct iotr_schema: what stands behind it is not looked at."""

    _fields_ = [("id", c_uint), ("family", c_char_p), ("name", c_char_p), ("syscall", c_char_p)]


class Call(ctypes.Structure):
    """The beginning of struct iotr_call."""

    _fields_ = [
        ("log", c_void_p),
        ("schema", POINTER(Schema)),
        ("ticks", c_uint64),
        ("start", c_uint64),
        ("dur", c_uint64),
        ("process", c_uint32),
        ("pid", c_uint32),
        ("tid", c_uint32),
        ("stream", c_uint32),
        ("level", c_uint32),
        ("depth", c_uint32),
        ("status", c_int),
        ("resumed", c_bool),
    ]


MessageFn = ctypes.CFUNCTYPE(None, c_void_p, c_int, c_char_p, c_char_p)
FATAL = 2  # enum iotr_severity: nothing of the log can be read


def library():
    lib = ctypes.CDLL(os.environ.get("LIBIOTRACE_READ", "libiotrace-read.so.0"))
    lib.iotr_follow_new.argtypes = [c_uint64, MessageFn, c_void_p]
    lib.iotr_follow_new.restype = c_void_p
    lib.iotr_follow_add.argtypes = [c_void_p, c_char_p]
    lib.iotr_follow_poll.argtypes = [c_void_p]
    lib.iotr_follow_next.argtypes = [c_void_p]
    lib.iotr_follow_next.restype = POINTER(Call)
    lib.iotr_follow_free.argtypes = [c_void_p]
    lib.iotr_call_path.argtypes = [POINTER(Call), POINTER(c_size_t), POINTER(c_void_p), POINTER(c_int)]
    lib.iotr_call_path.restype = c_void_p
    return lib


def path_of(lib, call):
    """Bytes: a file's name need not be text."""
    length, path = c_size_t(), c_void_p()
    name = lib.iotr_call_path(call, ctypes.byref(length), ctypes.byref(path), None)
    return ctypes.string_at(name, length.value) if name else b"-"


def show(lib, follow):
    while call := lib.iotr_follow_next(follow):
        c = call.contents
        if c.resumed:
            continue  # it was shown while it was in progress
        line = b"%d %s %s\n" % (c.pid, c.schema.contents.name, path_of(lib, call))
        sys.stdout.buffer.write(line)
    sys.stdout.buffer.flush()


def main(names):
    worst = 0

    @MessageFn  # has to live as long as the library may call it
    def on_message(_, severity, file, text):
        nonlocal worst
        worst = max(worst, severity)
        print(os.fsdecode(file), os.fsdecode(text), sep=": ", file=sys.stderr)

    lib = library()
    follow = lib.iotr_follow_new(10**9, on_message, None)
    for name in names:
        lib.iotr_follow_add(follow, os.fsencode(name))
    while True:
        wait = lib.iotr_follow_poll(follow)
        show(lib, follow)
        if wait < 0:
            break
        time.sleep(wait / 1000)
    lib.iotr_follow_free(follow)
    return int(worst >= FATAL)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
