"""The tables of longpole in Python.

    import longpole
    with longpole.open("trace.json.gz") as trace:
        ops = trace.ops()                # an answer: headline, doubts, tables
        print(ops.headline)
        ops["ops"].pandas()              # or .columns: {name: list}; .numpy(): {name: array}

Needs liblongpole.so: beside this package, where LONGPOLE_LIBRARY says, or where the linker finds
it. numpy and pandas are only needed by the methods of these names. Arrays of numpy() are views
into the answer and keep it alive.
"""

import ctypes
import math
import os
import pathlib

_I64, _F64, _STR, _BOOL = range(4)
_NULL = -(2**63)


class Error(Exception):
    """What the library said."""


class _Error(ctypes.Structure):
    _fields_ = [("text", ctypes.c_char * 512)]


class _Column(ctypes.Structure):
    _fields_ = [("name", ctypes.c_char_p), ("title", ctypes.c_char_p), ("help", ctypes.c_char_p),
                ("type", ctypes.c_int), ("unit", ctypes.c_int), ("flags", ctypes.c_uint),
                ("data", ctypes.c_void_p)]


class _Table(ctypes.Structure):
    _fields_ = [("name", ctypes.c_char_p), ("nrows", ctypes.c_uint32), ("ncols", ctypes.c_uint32),
                ("cols", ctypes.POINTER(_Column))]  # the rest is for people


class _Answer(ctypes.Structure):
    _fields_ = [("headline", ctypes.c_char_p), ("doubts", ctypes.POINTER(ctypes.c_char_p)),
                ("next", ctypes.POINTER(ctypes.c_char_p)),
                ("tables", ctypes.POINTER(ctypes.POINTER(_Table))), ("ntables", ctypes.c_uint32),
                ("no", ctypes.c_bool)]


class _OpenOptions(ctypes.Structure):
    _fields_ = [("threads", ctypes.c_uint), ("strict", ctypes.c_bool),
                ("progress", ctypes.c_void_p), ("ctx", ctypes.c_void_p)]


class _TimelineOptions(ctypes.Structure):
    _fields_ = [("linked", ctypes.c_bool), ("window", ctypes.c_char_p)]


class _KernelsOptions(ctypes.Structure):
    _fields_ = [("link", ctypes.c_int), ("window", ctypes.c_char_p)]


class _OpsOptions(ctypes.Structure):
    _fields_ = [("by", ctypes.c_int), ("rows", ctypes.c_bool), ("no_comm", ctypes.c_bool),
                ("link", ctypes.c_int), ("window", ctypes.c_char_p), ("arch", ctypes.c_char_p)]


class _ReportOptions(ctypes.Structure):
    _fields_ = [("style", ctypes.c_int), ("arch", ctypes.c_char_p), ("recompute", ctypes.c_bool)]


def _load():
    here = pathlib.Path(__file__).parent
    for name in (os.environ.get("LONGPOLE_LIBRARY"), here / "liblongpole.so", "liblongpole.so.0",
                 "liblongpole.so"):
        try:
            if name:
                return ctypes.CDLL(str(name))
        except OSError:
            pass
    raise ImportError("liblongpole.so is not found: build longpole and install it (meson install), "
                      "put the library beside this package, or name it in LONGPOLE_LIBRARY")


_lib = _load()
_lib.lp_open.restype = ctypes.c_void_p
_lib.lp_open.argtypes = [ctypes.c_char_p, _OpenOptions, ctypes.POINTER(_Error)]
_lib.lp_close.argtypes = [ctypes.c_void_p]
_lib.lp_answer_free.argtypes = [ctypes.POINTER(_Answer)]
_lib.lp_version.restype = ctypes.c_char_p
for _name, _options in (("info", None), ("check", None), ("idle", None), ("ops", _OpsOptions),
                        ("timeline", _TimelineOptions), ("kernels", _KernelsOptions),
                        ("report", _ReportOptions)):
    _f = getattr(_lib, "lp_" + _name)
    _f.restype = ctypes.POINTER(_Answer)
    _f.argtypes = [ctypes.c_void_p, *([_options] if _options else []), ctypes.POINTER(_Error)]


def _bytes(text):
    return None if text is None else os.fsencode(text)


def _text(raw):
    return None if raw is None else raw.decode("utf-8", "replace")


class Table:
    """One table: its name, its column names, and the columns in three forms."""

    def __init__(self, answer, table):
        self._answer, self._table = answer, table  # the answer owns the memory
        self.name = _text(table.name)
        self._cols = {_text(c.name): c for c in table.cols[: table.ncols]}

    def __len__(self):
        return self._table.nrows

    def help(self, column):
        """One line about a column."""
        return _text(self._cols[column].help)

    def _raw(self, c):
        kind = {_F64: ctypes.c_double, _STR: ctypes.c_char_p}.get(c.type, ctypes.c_int64)
        return ctypes.cast(c.data, ctypes.POINTER(kind)) if len(self) else []

    def column(self, name):
        """A column as a list; what is missing is None."""
        c = self._cols[name]
        values = self._raw(c)[: len(self)]
        if c.type == _STR:
            return [_text(v) for v in values]
        if c.type == _F64:
            return [None if math.isnan(v) else v for v in values]
        return [None if v == _NULL else bool(v) if c.type == _BOOL else v for v in values]

    @property
    def columns(self):
        return {name: self.column(name) for name in self._cols}

    def numpy(self):
        """Numbers as views into the answer (missing: the smallest int64, or NaN)."""
        import numpy

        class Owned(numpy.ndarray):
            pass

        out = {}
        for name, c in self._cols.items():
            if c.type == _STR or not len(self):
                out[name] = numpy.array(self.column(name), dtype=object)
                continue
            out[name] = numpy.ctypeslib.as_array(self._raw(c), (len(self),)).view(Owned)
            out[name].answer = self._answer
        return out

    def pandas(self):
        import pandas

        return pandas.DataFrame(self.columns)


class Answer:
    """A sentence (headline), what could change it (doubts), and tables by name."""

    def __init__(self, trace, pointer):
        self._trace, self._pointer = trace, pointer  # tables may point into the trace
        a = pointer.contents
        self.headline = _text(a.headline)
        self.doubts = []
        while a.doubts and a.doubts[len(self.doubts)] is not None:
            self.doubts.append(_text(a.doubts[len(self.doubts)]))
        self.no = a.no
        self.tables = {}
        for p in a.tables[: a.ntables]:
            table = Table(self, p.contents)
            self.tables[table.name] = table

    def __getitem__(self, name):
        return self.tables[name]

    def __del__(self):
        _lib.lp_answer_free(self._pointer)


class _Handle:
    def __init__(self, pointer):
        self.pointer = pointer

    def __del__(self):
        _lib.lp_close(self.pointer)


class Trace:
    """An open trace. It lives as long as it, or an answer about it, is in use."""

    def __init__(self, path, threads=0, strict=False):
        err = _Error()
        pointer = _lib.lp_open(_bytes(path), _OpenOptions(threads, strict, None, None),
                               ctypes.byref(err))
        if not pointer:
            raise Error(_text(err.text))
        self._handle = _Handle(pointer)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self._handle = None

    def _ask(self, name, *options):
        if not self._handle:
            raise Error("the trace is closed")
        err = _Error()
        answer = getattr(_lib, "lp_" + name)(self._handle.pointer, *options, ctypes.byref(err))
        if not answer:
            raise Error(_text(err.text))
        return Answer(self._handle, answer)

    def info(self):
        return self._ask("info")

    def check(self):
        return self._ask("check")

    def idle(self):
        return self._ask("idle")

    def timeline(self, linked=False, window=None):
        return self._ask("timeline", _TimelineOptions(linked, _bytes(window)))

    def kernels(self, window=None):
        return self._ask("kernels", _KernelsOptions(0, _bytes(window)))

    def ops(self, by="args", rows=False, no_comm=False, window=None, arch=None):
        choice = ("args", "name", "category", "module").index(by)
        return self._ask("ops", _OpsOptions(choice, rows, no_comm, 0, _bytes(window), _bytes(arch)))

    def report(self, style="longpole", arch=None, recompute=False):
        choice = ("longpole", "tracelens").index(style)
        return self._ask("report", _ReportOptions(choice, _bytes(arch), recompute))


def open(path, threads=0, strict=False):
    """Reads a trace, plain or gzip."""
    return Trace(path, threads, strict)


def version():
    return _text(_lib.lp_version())
