#!/usr/bin/env python3
"""The Python door has the numbers of the command line; views live on; errors say what to do.

usage: python_door.py LONGPOLE SYNTH LIBRARY PACKAGE INCLUDE
"""
import ctypes, gc, importlib.util, json, os, pathlib, re, shutil, subprocess, sys, tempfile

exe, synth, library, package, include = map(os.path.abspath, sys.argv[1:6])
os.environ["LONGPOLE_LIBRARY"] = library
sys.path[:0] = [package, package + "/examples"]
import longpole
from longpole import _library

# ---- the structs are those of the header ----

C_TYPES = {"bool": ctypes.c_bool, "int64_t": ctypes.c_int64, "unsigned": ctypes.c_uint,
           "double": ctypes.c_double, "lp_window": ctypes.c_char_p}


def fields_of(name):
    """(name, kind) of a struct in longpole.h."""
    text = "".join(h.read_text() for h in sorted(pathlib.Path(include).glob("*.h")))
    text = re.sub(r"/\*.*?\*/", "", text, flags=re.S)
    body = re.search(r"struct %s \{(.*?)\n\};" % name, text, re.S).group(1)
    out = []
    for line in filter(None, (x.strip() for x in re.sub(r"\s+", " ", body).split(";"))):
        call = re.match(r"void \(\*(\w+)\)", line)
        words = [("void *", call.group(1))] if call else None
        if not words:
            kind, names = re.match(r"((?:const |enum |struct )*\w+ ?(?:\*(?: ?const ?\*?)*)?)(.*)",
                                   line).groups()
            words = [(kind.strip(), n.strip()) for n in names.split(",")]
        out += [(re.sub(r"\W", "", n), kind + "*" * n.count("*")) for kind, n in words]
    return out


def kind_of(kind):
    if kind.count("*") == 2:
        return ctypes.POINTER(ctypes.c_char_p)
    if "*" in kind:
        return ctypes.c_char_p if "char" in kind else ctypes.c_void_p
    if kind.startswith("struct"):
        return _library.OpenOptions  # the only one that is a field of another
    return ctypes.c_int if kind.startswith("enum") else C_TYPES[kind]


for _, options in [(1, _library.OpenOptions), (1, _library.CompareOptions),
                   (1, _library.ProfileOptions), (1, _library.TreeOptions),
                   (1, _library.TreeFilter), (1, _library.TreeShow),
                   *_library.QUESTIONS.values()]:
    if options:
        name = "lp" + re.sub(r"([A-Z])", lambda m: "_" + m.group(1).lower(), options.__name__)
        wanted = [(n, kind_of(k)) for n, k in fields_of(name)]
        assert wanted == list(options._fields_), (
            f"python/longpole/_library.py: {options.__name__} is not struct {name} of longpole.h:\n"
            f"{wanted}\n{options._fields_}")

# ---- the same numbers ----


def json_of(*words):
    return json.loads(subprocess.run([exe, *map(str, words), "-f", "json"], check=True,
                                     stdout=subprocess.PIPE, stderr=subprocess.DEVNULL).stdout)


def same(words, answer):
    said = json_of(*words)
    assert set(said) == set(answer.tables) and said, (words, set(said) ^ set(answer.tables))
    for name, table in said.items():
        ours = answer[name]
        shown = [c for c in ours.names if c in table["columns"]]
        assert shown == [c for c in table["columns"] if c in shown], (words, name)
        assert set(table["columns"]) - set(shown) <= {"id", "parent"}, (words, name)
        for c in shown:
            i = table["columns"].index(c)
            assert ours.column(c) == [r[i] for r in table["rows"]], (words, name, c)
        if "parent" in table["columns"] and "parent" not in shown:
            i = table["columns"].index("parent")
            assert ours.parent == [r[i] for r in table["rows"]], (words, name)


def fails(ask, *texts):
    try:
        ask()
    except (longpole.Error, ValueError, KeyError, ImportError) as e:
        assert all(t in str(e) for t in texts), (texts, e)
    else:
        sys.exit(f"no error that says {texts}")


folder = tempfile.TemporaryDirectory()
base = pathlib.Path(folder.name)
path, other = base / "demo.json.gz", base / "other.json.gz"
subprocess.run([synth, "--size", "1M", "--seed", "3", "--python", "-o", path], check=True)
subprocess.run([synth, "--size", "1M", "--seed", "4", "--python", "-o", other], check=True)

with longpole.open(path) as trace:
    answers = {
        ("ops", path): trace.ops(), ("ops", path, "--by", "module"): trace.ops(by="module"),
        ("info", path): trace.info(), ("check", path): trace.check(),
        ("timeline", path): trace.timeline(), ("idle", path): trace.idle(),
        ("timeline", path, "--window", "step:1"): trace.timeline(window="step:1"),
        ("kernels", path): trace.kernels(), ("memory", path): trace.memory(),
        ("steps", path): trace.steps(), ("split", path): trace.split(),
        ("critical-path", path, "--what-if", "comm=0"): trace.critical_path(what_if="comm=0"),
        ("report", path): trace.report(),
        ("report", path, "--style", "tracelens", "--micro-idle", "5", "--call-stack"):
            trace.report(style="tracelens", micro_idle_ns=5000, call_stack=True),
        ("diff", path, other): longpole.diff(trace, other, gates=["gpu_time>2%"]),
        ("compare", path, other): longpole.compare([path, other]),
        ("compare", path, other, "--style", "tracelens", "--names", "a,b"):
            longpole.compare([path, other], names=["a", "b"], style="tracelens"),
        ("tree", path, "--invert", "--roots", "5", "--depth", "3"):
            longpole.tree(path, invert=True, roots=5, depth=3),
        ("tree", path, "--weight", "gpu", "--thread", "all", "--search", "aten::mm", "--functions"):
            longpole.tree(path, weight="gpu", thread="all", search=["aten::mm"], functions=True),
        ("tree", path, "--no-waits", "--pairs", "--window", "1ms..9ms"):
            longpole.tree(path, no_waits=True, pairs=True, window="1ms..9ms"),
    }
    fails(lambda: trace.ops(by="colour"), "by is one of", "colour")
    fails(lambda: trace.ops()["opps"], "no table 'opps'", "ops")
    table = trace.ops()["ops"]
    assert table.unit("kernel_time_ns") == "ns" and table.type("has_model") == "bool"
    assert "GPU" in table.help("percent")
# the trace is closed; answers keep what they need
for words, answer in answers.items():
    if words[0] == "diff":
        words = (*words, "--gate", "gpu_time>2%")
        if answer.no:  # exit 1
            continue
    same(words, answer)
fails(lambda: longpole.open(base / "none"), "none", "cannot open")
fails(lambda: trace.ops(), "the trace is closed")
fails(lambda: longpole.compare([path]), "two")
fails(lambda: longpole.tree(path, thread="99"), "thread")
fails(lambda: longpole.tree(path, window="x..y"), "window")

# ---- numpy and pandas ----

have = {m: importlib.util.find_spec(m) is not None for m in ("numpy", "pandas")}
probe = ("import sys; sys.modules[{0!r}] = None; import longpole\n"
         "try: longpole.open({1!r}).ops()['ops'].{0}()\n"
         "except ImportError as e: assert 'install python3-{0}' in str(e), e\n"
         "else: sys.exit('no error')")
for module in ("numpy", "pandas"):
    subprocess.run([sys.executable, "-c", probe.format(module, str(path))], check=True, cwd=package)
if not all(have.values()):
    print("skipped: views, frames and examples:", ", ".join(m for m in have if not have[m]),
          "not installed")
else:
    import numpy, pandas
    ops = answers[("ops", path)]["ops"]
    arrays, frame = ops.numpy(), ops.pandas()
    assert list(frame.columns) == ops.names and len(frame) == len(ops)
    address = ops._cols["kernel_time_ns"].data
    assert arrays["kernel_time_ns"].ctypes.data == address  # a view, not a copy
    assert frame["kernel_time_ns"].to_numpy().ctypes.data == address
    assert arrays["kernel_time_ns"].sum() == sum(ops.column("kernel_time_ns")) > 0
    try:
        arrays["kernel_time_ns"][0] = 1
        sys.exit("the library's memory can be written to")
    except ValueError:
        pass
    assert frame["has_model"].dtype == "boolean" and frame["kernels"].dtype == numpy.int64
    assert frame.attrs["units"]["kernel_time_ns"] == "ns"
    for words, answer in answers.items():
        for table in answer.tables.values():
            ours = table.pandas()
            for c in table.names:
                got = [None if v is pandas.NA or v is None or v != v else v for v in ours[c]]
                assert got == table.column(c), (words, table.name, c)

    # what is used lives: no trace, no answer, no table is left, only a slice of a view
    def view():
        with longpole.open(path) as t:
            a = t.ops(rows=True)["ops"].numpy()["kernel_time_ns"]
            return a[1:], a.copy()[1:]

    kept, copy = view()
    gc.collect()
    for _ in range(3):  # give freed memory away
        with longpole.open(other) as t:
            t.ops(rows=True)["ops"].numpy()
        gc.collect()
    assert (kept == copy).all() and len(kept)
    kept_frame = (lambda: longpole.open(path).ops()["ops"].pandas())()
    gc.collect()
    assert kept_frame["kernel_time_ns"].tolist() == ops.column("kernel_time_ns")
    alive = kept_frame["kernel_time_ns"].iloc[1:].to_numpy()
    del kept_frame
    gc.collect()
    assert alive.tolist() == ops.column("kernel_time_ns")[1:]

    # ---- the examples ----
    import compare_runs, where_time_went
    with longpole.open(path) as trace, longpole.open(other) as after:
        said = json_of("ops", path, "--by", "category")["ops"]
        sums = where_time_went.by_category(frame)
        at = {c: i for i, c in enumerate(said["columns"])}
        assert {r[at["category"]]: r[at["kernel_time_ns"]] for r in said["rows"]} == dict(sums["gpu_ns"])
        most = where_time_went.that_make_up(frame, 80)
        assert most.sum() >= 0.8 * frame["kernel_time_ns"].sum() > most[:-1].sum()
        held = where_time_went.held_at_peak(trace)
        peak = trace.memory()["memory_peak"].pandas()
        assert held.sum() + peak["rest_bytes"].sum() == peak["peak_bytes"].sum() > 0
        diff = compare_runs.changes(trace, after)
        total = {n: sum(v or 0 for v in longpole.diff(trace, after)["diff_ops"].column(n))
                 for n in ("before_ns", "after_ns")}
        assert diff["before_ns"].sum() == total["before_ns"] and diff["after_ns"].sum() == total["after_ns"]
        targets, window = compare_runs.classes(after, 3)
        grid = compare_runs.sweep(after, targets)
        assert not grid.isna().any().any() and (grid <= window / 1e6).all().all()
        for _, row in grid.iterrows():  # faster is never slower
            assert (row.diff().dropna() <= 0).all(), row
    for script in (["where_time_went.py", path], ["compare_runs.py", path, other]):
        out = subprocess.run([sys.executable, f"{package}/examples/{script[0]}", *script[1:]],
                             check=True, stdout=subprocess.PIPE,
                             env={**os.environ, "PYTHONPATH": package}).stdout
        assert len(out.splitlines()) > 10

# ---- where the library is found ----

clean = {k: v for k, v in os.environ.items() if k not in ("LONGPOLE_LIBRARY", "LD_LIBRARY_PATH")}
say = [sys.executable, "-c", "import longpole; print(longpole.version())"]


def version(env, where=package):
    r = subprocess.run(say, cwd=where, env={**clean, **env}, stdout=subprocess.PIPE,
                       stderr=subprocess.PIPE)
    return r.stdout.decode().strip(), r.stderr.decode()


linker = base / "lib"
linker.mkdir()
shutil.copy(library, linker / "liblongpole.so.0")
beside = base / "beside"
shutil.copytree(pathlib.Path(package) / "longpole", beside / "longpole")
shutil.copy(library, beside / "longpole" / "liblongpole.so")
assert version({"LD_LIBRARY_PATH": str(linker)})[0] == longpole.version()
assert version({}, beside)[0] == longpole.version()
assert "LONGPOLE_LIBRARY=nowhere.so" in version({"LONGPOLE_LIBRARY": "nowhere.so"}, beside)[1]
if not subprocess.run(["ldconfig", "-p"], stdout=subprocess.PIPE).stdout.count(b"liblongpole"):
    assert "meson install" in version({})[1]
(beside / "longpole" / "liblongpole.so").write_bytes(b"no library")
assert "meson install" in version({}, beside)[1] and "liblongpole.so" in version({}, beside)[1]
old = next(iter(pathlib.Path("/lib").glob("*/libm.so.6")), None)
if old:  # any other library has none of our functions
    assert "older than this package" in version({"LONGPOLE_LIBRARY": str(old)})[1]
