# SPDX-License-Identifier: BSD-3-Clause
"""Calls of iotrace logs as a pandas.DataFrame.

    import iotrace

    calls = iotrace.read("logs")		# a log, a directory, a database, or a list of these
    print(calls.groupby("path", observed=True).ret.sum())
    for part in iotrace.batches("logs"):	# the same, a million calls at a time
        ...

A database is one that iotrace-export --to=sqlite made: the logs of its last run are read, which it
keeps, or those of the run of that name or number: iotrace.read("runs.db", run="before").
Columns are those of `iotrace-cat --format=csv`, without args, and with id and parent_id, the call
around it.  Times are in ns.  LIBIOTRACE_READ names the library libiotrace-read if it is
neither where the loader looks nor where it was installed with this file.
"""

import contextlib
import ctypes
import glob
import os
import pathlib
import warnings

import numpy
import pandas

__all__ = ["batches", "read"]

BATCH = 1 << 20

# enum iotr_severity, struct iotr_batch and its flags, enum iotr_status: iotrace/read.h
_DAMAGE, _FATAL = 1, 2
_HAS_SIZE, _HAS_OFFSET, _HAS_RET, _HAS_DUR, _INTERNAL, _MPI_OWN, _INFERRED = 4, 8, 16, 32, 64, 128, 256
_STATUS = ["", "noreturn", "abandoned", "unfinished", "inferred"]
_COLUMNS = [(name, numpy.uint64) for name in ("log", "schema", "path", "syscall", "start", "dur", "id", "parent_id", "size", "offset")]
_COLUMNS += [("ret", numpy.int64), ("err", numpy.int32), ("fd", numpy.int32)]
_COLUMNS += [(name, numpy.uint32) for name in ("pid", "tid", "depth", "stack", "status", "flags")]


class _Columns(ctypes.Structure):
    _fields_ = [(name, ctypes.c_void_p) for name, _ in _COLUMNS]


class _Schema(ctypes.Structure):
    """The beginning of struct iotr_schema."""

    _fields_ = [("id", ctypes.c_uint), ("family", ctypes.c_char_p), ("name", ctypes.c_char_p)]


class _Path(ctypes.Structure):
    """The beginning of struct iotr_path."""

    _fields_ = [("name", ctypes.c_void_p), ("len", ctypes.c_size_t)]


_Message = ctypes.CFUNCTYPE(None, ctypes.c_void_p, ctypes.c_int, ctypes.c_char_p, ctypes.c_char_p)


def _find():
    """The library: as the user says, beside this file as it was installed, or the loader's."""
    if "LIBIOTRACE_READ" in os.environ:
        return os.environ["LIBIOTRACE_READ"]
    prefix = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "..")
    there = glob.glob(os.path.join(glob.escape(prefix), "lib*", "libiotrace-read.so.0"))
    there += glob.glob(os.path.join(glob.escape(prefix), "lib", "*", "libiotrace-read.so.0"))
    return there[0] if there else "libiotrace-read.so.0"


def _library():
    lib = ctypes.CDLL(_find())
    pointer, text = ctypes.c_void_p, ctypes.c_char_p
    for name, result, arguments in (
        ("iotr_set_new", pointer, [_Message, pointer]),
        ("iotr_set_add", ctypes.c_int, [pointer, text]),
        ("iotr_set_add_mem", ctypes.c_int, [pointer, text, ctypes.c_size_t, text]),
        ("iotr_set_batch", ctypes.c_size_t, [pointer, ctypes.POINTER(_Columns), ctypes.c_size_t]),
        ("iotr_set_failed", ctypes.c_bool, [pointer]),
        ("iotr_set_free", None, [pointer]),
        ("iotr_log_key", text, [pointer, text, pointer]),
        ("iotr_log_rank", ctypes.c_int, [pointer, pointer]),
        ("iotr_errno_name", text, [ctypes.c_int]),
    ):
        function = getattr(lib, name)
        function.restype, function.argtypes = result, arguments
    return lib


def _decoded(name):
    return None if name is None else name.decode("utf-8", "surrogateescape")


class _Names:
    """Names of what columns point to, asked for once."""

    def __init__(self, lib):
        self.lib = lib
        self.known = {}

    def of(self, what, column, name_of):
        """A column of names, by the codes and values of the one that they are made from."""
        codes, unique = column
        categories, again = {}, []
        for value in unique.tolist():
            key = (what, value)
            if key not in self.known:
                self.known[key] = name_of(value)
            name = self.known[key]
            # several may have one name; what has none is missing
            again.append(-1 if name is None else categories.setdefault(name, len(categories)))
        return pandas.Categorical.from_codes(numpy.array(again, dtype=numpy.int32)[codes], categories=pandas.Index(list(categories), dtype=object))

    def key(self, log, key):
        return _decoded(self.lib.iotr_log_key(log, key, None))

    @staticmethod
    def path(pointer):
        if not pointer:
            return None
        path = _Path.from_address(pointer)
        return _decoded(ctypes.string_at(path.name, path.len))

    @staticmethod
    def text(pointer):
        return _decoded(ctypes.string_at(pointer)) if pointer else None

    def rank(self, log):
        rank = self.lib.iotr_log_rank(log, None)
        return None if rank < 0 else rank

    def error(self, number):
        return (_decoded(self.lib.iotr_errno_name(number)) or str(number)) if number else None


def _integers(values, there):
    """A column in which numbers may be missing.  What 63 bits do not hold is the most that they do."""
    if values.dtype == numpy.uint64:
        values = numpy.minimum(values, numpy.uint64(2**63 - 1)).astype(numpy.int64)
    return pandas.arrays.IntegerArray(values, ~there)


def _frame(c, names):
    flags = c["flags"]
    status = numpy.where(flags & _INFERRED, 4, c["status"]).astype(numpy.int8)
    log, schema, path, syscall, err = (pandas.factorize(c[name]) for name in ("log", "schema", "path", "syscall", "err"))
    rank = names.of("rank", log, names.rank)
    return pandas.DataFrame({
        "start": c["start"].astype(numpy.int64),
        "dur": _integers(c["dur"], flags & _HAS_DUR != 0),
        "host": names.of("host", log, lambda log: names.key(log, b"host")),
        "pid": c["pid"],
        "tid": c["tid"],
        "rank": _integers(numpy.array([*rank.categories, -1], dtype=numpy.int64)[rank.codes], rank.codes >= 0),
        "prog": names.of("prog", log, lambda log: names.key(log, b"program")),
        "family": names.of("family", schema, lambda s: _decoded(_Schema.from_address(s).family)),
        "call": names.of("call", schema, lambda s: _decoded(_Schema.from_address(s).name)),
        "syscall": names.of("syscall", syscall, names.text),
        "internal": flags & _INTERNAL != 0,
        "depth": c["depth"],
        "fd": _integers(c["fd"], c["fd"] >= 0),
        "path": names.of("path", path, names.path),
        "offset": pandas.arrays.IntegerArray(c["offset"].astype(numpy.int64), flags & _HAS_OFFSET == 0),
        "size": _integers(c["size"], flags & _HAS_SIZE != 0),
        "ret": _integers(c["ret"], flags & _HAS_RET != 0),
        "errno": names.of("errno", err, names.error),
        "status": pandas.Categorical.from_codes(status - 1, categories=_STATUS[1:]),
        "mpi_own": flags & _MPI_OWN != 0,
        "id": c["id"],
        "parent_id": _integers(c["parent_id"], c["parent_id"] != 0),
    }, copy=False)


def _is_database(name):
    if not os.path.isfile(name):
        return False
    with open(name, "rb") as f:
        return f.read(16) == b"SQLite format 3\0"


def _chosen(db, run):
    """A run's id, as find_run of the tools has it: of several with a name the last one; None: there is none."""
    runs = [(number, str(number), _decoded(name)) for number, name in db.execute("SELECT id, name FROM runs ORDER BY id")]
    chosen = [number for number, *names in runs if run is None or str(run) in names]
    return chosen[-1] if chosen else None


def _kept(name, run):
    """The logs that a database keeps of a run: the name and the bytes of each."""
    import sqlite3  # which not every Python has

    logs = []
    try:
        with contextlib.closing(sqlite3.connect(pathlib.Path(os.fsdecode(name)).absolute().as_uri() + "?mode=ro", uri=True)) as db:
            db.text_factory = bytes
            chosen = _chosen(db, run)
            if chosen is None:
                raise OSError(f"{os.fsdecode(name)}: has no run" + ("" if run is None else f" '{run}'"))
            for log, piece, part in db.execute("SELECT name, piece, bytes FROM kept WHERE run_id = ? ORDER BY id", [chosen]):
                if not piece:
                    logs.append((log, []))
                logs[-1][1].append(part)
    except sqlite3.Error as e:
        raise OSError(f"{os.fsdecode(name)}: {e}") from e
    if not logs:
        raise OSError(f"{os.fsdecode(name)}: keeps no logs (made of chosen calls, or with --no-logs): export its logs again")
    return [(log, b"".join(parts)) for log, parts in logs]


def _batches(path, size, run):
    """Arrays of calls, with the names of what they point to, which are there as long as we are."""
    lib = _library()
    said, in_memory = [], []

    def on_message(_, severity, file, text):
        said.append((severity, f"{_decoded(file)}: {_decoded(text)}"))

    callback = _Message(on_message)
    names = _Names(lib)
    logs = lib.iotr_set_new(callback, None)
    if not logs:
        raise MemoryError
    try:
        for one in [path] if isinstance(path, (str, bytes, os.PathLike)) else path:
            if _is_database(one):
                in_memory += _kept(one, run)
                continue
            if run is not None:
                raise ValueError(f"run='{run}': {os.fsdecode(one)} is no database")
            if lib.iotr_set_add(logs, os.fsencode(one)) < 0:
                raise OSError(said[-1][1] if said else f"{one}: can't be read")
        for name, log in in_memory:
            if lib.iotr_set_add_mem(logs, log, len(log), name) < 0:
                raise OSError(said[-1][1])
        more = True
        while more:
            arrays = {name: numpy.empty(size, dtype) for name, dtype in _COLUMNS}
            columns = _Columns(**{name: a.ctypes.data for name, a in arrays.items()})
            n = lib.iotr_set_batch(logs, ctypes.byref(columns), size)
            if lib.iotr_set_failed(logs):
                raise MemoryError
            more = n == size
            yield {name: a[:n] for name, a in arrays.items()}, names
        for severity, text in said:
            if severity >= _DAMAGE:
                warnings.warn(text, stacklevel=3)
    finally:
        lib.iotr_set_free(logs)


def batches(path, size=BATCH, run=None):
    """Data frames of that many calls at most, by start; memory is for one of them."""
    for arrays, names in _batches(path, size, run):
        if len(arrays["start"]):
            yield _frame(arrays, names)


def _joined(parts):
    """One array of each column; the parts are gone, a column at a time."""
    if len(parts) == 1:
        return parts[0]
    return {name: numpy.concatenate([p.pop(name) for p in parts]) for name, _ in _COLUMNS}


def read(path, run=None):
    """All calls of the logs, by start.  run: which run of a database, by name or number; None: the last.
    OSError: a log can't be read; damage is a warning."""
    parts, frame = [], None
    for arrays, names in _batches(path, BATCH, run):
        parts.append(arrays)
        # names are there as long as the logs are: so the frame is made before the last step
        if len(arrays["start"]) < BATCH:
            frame = _frame(_joined(parts), names)
    return frame
