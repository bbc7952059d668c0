# SPDX-License-Identifier: BSD-3-Clause
"""Name parts of a recorded program: iotrace.h for Python, see iotrace.h(3).

    import iotrace

    with iotrace.region("checkpoint"):
        save(step)

    @iotrace.region("load")
    def load(path):
        ...

iotrace.read(LOGS) gives the calls of logs as a pandas.DataFrame, see iotrace_read.py.

For regions, nothing has to be installed beside this file: a program that is not recorded, by
iotrace-run(1) or iocc(1), runs as it would without.  All of these functions may be called
by any thread.  A region belongs to the thread that began it.
"""

import contextlib

__all__ = ["batches", "begin", "end", "mark", "pause", "read", "resume", "region"]

# what iotrace.h tells the recorder
_BEGIN, _END, _MARK, _PAUSE, _RESUME = 1, 2, 3, 4, 5


def _recorder():
    """The recorder's function, or None."""
    try:
        import ctypes

        # a library that keeps the lock: it comes back at once, and to give the lock
        # away could take as long as another thread wants it
        tell = ctypes.PyDLL(None).iot_user
    except (ImportError, OSError, AttributeError):
        return None
    tell.argtypes = (ctypes.c_int, ctypes.c_char_p)
    tell.restype = None
    return tell


_tell = _recorder()


def _text(text):
    if isinstance(text, str):
        return text.encode("utf-8", "surrogateescape")
    return text


def begin(name):
    """A region of the calling thread begins: its calls are shown beneath it."""
    if _tell:
        _tell(_BEGIN, _text(name))


def end(name=None):
    """The innermost open region of this name ends, and with it those inside; None: the
    innermost of all.  Nothing happens if there is none."""
    if _tell:
        _tell(_END, _text(name))


def mark(text):
    """A line of text among the calls."""
    if _tell:
        _tell(_MARK, _text(text))


def pause():
    """No calls of the process are recorded until as many calls of resume()."""
    if _tell:
        _tell(_PAUSE, None)


def resume():
    """Takes one pause() back."""
    if _tell:
        _tell(_RESUME, None)


class region(contextlib.ContextDecorator):
    """A region for as long as a with block runs, or the function that it decorates."""

    def __init__(self, name):
        self.name = name

    def __enter__(self):
        begin(self.name)
        return self

    def __exit__(self, *exception):
        end(self.name)
        return False


def read(path, run=None):
    """The calls of logs as a pandas.DataFrame, by start."""
    import iotrace_read

    return iotrace_read.read(path, run)


def batches(path, size=1 << 20, run=None):
    """The same as data frames of that many calls at most, one after the other."""
    import iotrace_read

    return iotrace_read.batches(path, size, run)
