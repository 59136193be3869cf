"""A table of an answer: columns as lists, as numpy arrays without a copy, as a pandas frame."""

import ctypes
import math

_I64, _F64, _STR, _BOOL, _ROW = range(5)
_TYPES = ("int", "float", "str", "bool", "row")
_UNITS = (None, "count", "ns", "bytes", "percent")
_NULL = -(2**63)
_NO_ROW = 2**32 - 1
_MISSING = "{0} is not installed: install python3-{0} (Debian) or the package {0} (pip)"


def text(raw):
    return None if raw is None else raw.decode("utf-8", "replace")


def _import(name):
    try:
        return __import__(name)
    except ImportError as e:
        raise ImportError(_MISSING.format(name)) from e


class Table:
    """One table: its name, its columns by name, in three forms."""

    def __init__(self, answer, table):
        self._answer, self._table = answer, table  # the answer owns the memory
        self.name = text(table.name)
        self._cols = {text(c.name): c for c in table.cols[: table.ncols]}

    def __len__(self):
        return self._table.nrows

    def __repr__(self):
        return f"<Table {self.name}: {len(self)} rows, {', '.join(self._cols)}>"

    @property
    def names(self):
        """Of the columns, in their order."""
        return list(self._cols)

    def help(self, column):
        """One line about a column."""
        return text(self._cols[column].help)

    def type(self, column):
        """ "int", "float", "str", "bool" or "row" (a number of a row of this table)."""
        return _TYPES[self._cols[column].type]

    def unit(self, column):
        """ "count", "ns", "bytes", "percent" or None."""
        return _UNITS[self._cols[column].unit]

    @property
    def parent(self):
        """Of a tree: for each row the one it hangs from, or None; None if it is no tree."""
        if not self._table.parent:
            return None
        return [None if p == _NO_ROW else p for p in self._table.parent[: len(self)]]

    def _buffer(self, c):
        """The library's array as a ctypes one that keeps the answer alive."""
        kind = {_F64: ctypes.c_double, _STR: ctypes.c_void_p, _ROW: ctypes.c_uint32}.get(
            c.type, ctypes.c_int64)
        buffer = (kind * len(self)).from_address(c.data)
        buffer.answer = self._answer
        return buffer

    def column(self, name):
        """A column as a list; what is missing is None."""
        c = self._cols[name]
        if not len(self):
            return []
        if c.type == _ROW:
            if not c.data:
                return list(range(len(self)))
            return [None if v == _NO_ROW else v for v in self._buffer(c)]
        values = self._buffer(c)
        if c.type == _STR:  # equal texts are one string of the trace as a rule: read once
            known = {p: text(ctypes.string_at(p)) for p in set(values) if p}
            return [known.get(p) for p in values]
        if c.type == _F64:
            return [None if math.isnan(v) else v for v in values]
        return [None if v == _NULL else bool(v) if c.type == _BOOL else v for v in values]

    @property
    def columns(self):
        """All columns as lists."""
        return {name: self.column(name) for name in self._cols}

    def _array(self, numpy, name):
        c = self._cols[name]
        if c.type == _STR:
            return numpy.array(self.column(name), dtype=object)
        if not len(self) or not c.data:
            kind = {_F64: numpy.float64, _ROW: numpy.uint32}.get(c.type, numpy.int64)
            return numpy.arange(len(self)).astype(kind)
        out = numpy.frombuffer(self._buffer(c), dtype={_F64: numpy.float64, _ROW: numpy.uint32}.get(
            c.type, numpy.int64))
        out.flags.writeable = False
        return out

    def numpy(self):
        """{name: array}. Numbers are read-only views into the answer: int64 (missing: the least
        one), float64 (missing: NaN), booleans as int64, rows as uint32 (missing: the largest);
        texts are objects."""
        numpy = _import("numpy")
        return {name: self._array(numpy, name) for name in self._cols}

    def pandas(self):
        """A DataFrame over the same memory. Integers with missing values are Int64, booleans
        are boolean; attrs has the units and the headline."""
        pandas = _import("pandas")
        numpy = _import("numpy")
        out = {}
        for name, values in self.numpy().items():
            kind = self._cols[name].type
            missing = values == (_NO_ROW if kind == _ROW else _NULL) \
                if kind in (_I64, _BOOL, _ROW) else None
            if kind == _BOOL:
                out[name] = pandas.arrays.BooleanArray((values == 1), numpy.asarray(missing))
            elif missing is not None and missing.any():
                out[name] = pandas.arrays.IntegerArray(values, missing, copy=False)
            else:
                out[name] = values
        frame = pandas.DataFrame(out, copy=False)
        frame.attrs["units"] = {name: self.unit(name) for name in self._cols if self.unit(name)}
        frame.attrs["headline"] = self._answer.headline
        return frame
