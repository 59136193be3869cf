"""The tables of longpole in Python.

    import longpole
    with longpole.open("trace.json.gz") as trace:
        ops = trace.ops()                # an answer: headline, doubts, tables
        print(ops.headline)
        ops["ops"].pandas()              # or .columns: {name: list}; .numpy(): {name: array}

Every question is a method of Trace, every answer a sentence (headline), what could change it
(doubts) and tables; diff() compares two traces. Names, order and figures are those of the command
line's CSV, so `longpole ops TRACE --columns help` describes them.

Needs liblongpole.so: beside this package, where LONGPOLE_LIBRARY says, or where the linker finds
it. numpy and pandas are only needed by the methods of these names. Their numbers are views into
the answer, which they keep alive: nothing is copied, and none of it may be written to.
"""


from ._library import (CompareOptions, CriticalPathOptions, DiffOptions, Error, KernelsOptions, OpenOptions,
                       OpsOptions, ProfileOptions, ReportOptions, SplitOptions, StepsOptions,
                       TimelineOptions, TreeFilter, TreeOptions, TreeShow, call, encode, library, texts)
from ._table import Table, text

__all__ = ["Answer", "Error", "Table", "Trace", "compare", "diff", "open", "tree", "version"]


class Answer:
    """A sentence (headline), what could change it (doubts), and tables by name."""

    def __init__(self, keep, pointer):
        self._keep, self._pointer = keep, pointer  # tables may point into the traces
        a = pointer.contents
        self.headline = text(a.headline)
        self.doubts = []
        while a.doubts and a.doubts[len(self.doubts)] is not None:
            self.doubts.append(text(a.doubts[len(self.doubts)]))
        self.no = a.no
        self.tables = {}
        for p in a.tables[: a.ntables]:
            table = Table(self, p.contents)
            self.tables[table.name] = table

    def __getitem__(self, name):
        try:
            return self.tables[name]
        except KeyError:
            raise KeyError(f"no table {name!r}; there are {', '.join(self.tables)}") from None

    def __contains__(self, name):
        return name in self.tables

    def __iter__(self):
        return iter(self.tables)

    def __repr__(self):
        return f"<Answer: {self.headline}>"

    def __del__(self):
        library.lp_answer_free(self._pointer)


class _Handle:
    """Something open in the library; closed when the last answer about it is gone."""

    def __init__(self, pointer, close=library.lp_close, keep=None):
        self.pointer, self._close, self._keep = pointer, close, keep

    def __del__(self):
        self._close(self.pointer)


def _choice(what, value, choices):
    if value not in choices:
        raise ValueError(f"{what} is one of {', '.join(choices)}, not {value!r}")
    return choices.index(value)


class Trace:
    """An open trace. It lives as long as it, or an answer about it, is in use."""

    def __init__(self, path, threads=0, strict=False):
        self._handle = _Handle(call("open", encode(path), OpenOptions(threads=threads, strict=strict)))

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.close()

    def close(self):
        """No more questions; answers that are in use keep what they need."""
        self._handle = None

    def _open(self):
        if not self._handle:
            raise Error("the trace is closed")
        return self._handle

    def _ask(self, name, *options):
        handle = self._open()
        return Answer(handle, call(name, handle.pointer, *options))

    def info(self):
        """What is in the file: window, devices, lanes, kinds, oddities."""
        return self._ask("info")

    def check(self):
        """Rules of data quality; answer.no is true if there are errors."""
        return self._ask("check")

    def timeline(self, linked=False, window=None):
        """Busy, exposed and idle time of each device; with steps, per step."""
        return self._ask("timeline", TimelineOptions(linked=linked, window=encode(window)))

    def idle(self):
        """Why the GPU had nothing to do."""
        return self._ask("idle")

    def kernels(self, window=None, link="correlation"):
        """GPU time per kernel, stream and owner."""
        how = _choice("link", link, ("correlation", "tracelens"))
        return self._ask("kernels", KernelsOptions(link=how, window=encode(window)))

    def ops(self, by="args", rows=False, no_comm=False, window=None, arch=None, link="correlation",
            models=None):
        """GPU time per operator: by "args", "name", "category" or "module"; rows: each call."""
        return self._ask("ops", OpsOptions(
            by=_choice("by", by, ("args", "name", "category", "module")), rows=rows,
            no_comm=no_comm, link=_choice("link", link, ("correlation", "tracelens")),
            window=encode(window), arch=encode(arch), models=encode(models)))

    def memory(self):
        """The peak of PyTorch's allocator per device, and who holds it."""
        return self._ask("memory")

    def steps(self, markers=()):
        """One row per iteration."""
        array, n = texts(markers)
        return self._ask("steps", StepsOptions(markers=array, nmarkers=n))

    def critical_path(self, what_if=(), window=None, model="walk"):
        """What decides the wall clock; what_if: scenarios such as "comm=0" or "gemm*=2x"."""
        array, n = texts(what_if)
        return self._ask("critical_path", CriticalPathOptions(
            model=_choice("model", model, ("walk", "hta", "longest")), what_if=array,
            nwhat_if=n, window=encode(window)))

    def split(self, folder=None, iterations=None, markers=(), **options):
        """The iterations, written to `folder` if one is given; options as in longpole.h."""
        array, n = texts(markers)
        return self._ask("split", SplitOptions(out_dir=encode(folder),
                                               iterations=encode(iterations), markers=array,
                                               nmarkers=n, **options))

    def report(self, style="longpole", arch=None, models=None, **options):
        """All tables at once, or the sheets of TraceLens; options as in longpole.h."""
        return self._ask("report", ReportOptions(
            style=_choice("style", style, ("longpole", "tracelens")), arch=encode(arch),
            models=encode(models), **options))


def open(path, threads=0, strict=False):
    """Reads a trace, plain or gzip; "-" is standard input."""
    return Trace(path, threads, strict)


def diff(before, after, gates=(), window=None, python=False, tree=False):
    """Two traces (or paths) as one: what changed, where, by how much. answer.no: a gate failed."""
    before = before if isinstance(before, Trace) else Trace(before)
    after = after if isinstance(after, Trace) else Trace(after)
    array, n = texts(gates)
    handles = before._open(), after._open()
    return Answer(handles, call("diff", handles[0].pointer, handles[1].pointer,
                                DiffOptions(python=python, tree=tree, gates=array, ngates=n,
                                            window=encode(window))))


def compare(reports, names=(), style="longpole"):
    """Reports side by side: folders of CSV files, workbooks or traces, each with the first."""
    paths, n = texts(reports)
    array, nnames = texts(names)
    how = _choice("style", style, ("longpole", "tracelens"))
    return Answer(None, call("compare", paths, n, CompareOptions(
        names=array, nnames=nnames, style=how)))


def tree(path, invert=False, weight=None, thread=None, root=None, search=(), window=None,
         no_waits=False, **show):
    """The call tree of a trace or a sampled profile, either way up, as table "tree".

    roots, depth, min_percent, max_nodes, forks, functions and pairs are as in longpole.h.
    """
    profile = _Handle(call("profile_open", encode(path), ProfileOptions(
        weight=encode(weight), sums=window is None)), library.lp_profile_close)
    opened = _Handle(call("tree_open", profile.pointer, TreeOptions(
        invert=invert, thread=encode(thread), root=encode(root))), library.lp_tree_close, profile)
    terms, n = texts(search)
    call("tree_filter", opened.pointer, TreeFilter(
        window=encode(window), search=terms, nsearch=n, no_waits=no_waits))
    return Answer(opened, call("tree_answer", opened.pointer, TreeShow(plain=True, **show)))


def version():
    """Version of the library, and what is built in."""
    return text(library.lp_version())
