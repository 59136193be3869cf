#!/usr/bin/env python3
"""The Python door has the numbers of the command line; errors are exceptions.

usage: python_door.py LONGPOLE SYNTH LIBRARY PACKAGE
"""
import json, os, pathlib, subprocess, sys, tempfile

exe, synth, library, package = sys.argv[1:5]
os.environ["LONGPOLE_LIBRARY"] = library
sys.path.insert(0, package)
import longpole

with tempfile.TemporaryDirectory() as d:
    path = pathlib.Path(d) / "demo.json.gz"
    subprocess.run([synth, "--size", "1M", "--seed", "3", "--python", "-o", path], check=True)
    with longpole.open(path) as trace:
        answers = {("ops",): trace.ops(), ("ops", "--by", "module"): trace.ops(by="module"),
                   ("timeline",): trace.timeline(), ("kernels",): trace.kernels(),
                   ("report", "--style", "tracelens"): trace.report(style="tracelens")}
    # the trace is closed; answers keep what they need
    for words, answer in answers.items():
        out = subprocess.run([exe, *words, path, "-f", "json"], check=True, stdout=subprocess.PIPE,
                             stderr=subprocess.DEVNULL).stdout
        said = json.loads(out)
        assert set(said) == set(answer.tables) and said, (words, set(said))
        for name, table in said.items():
            ours = answer[name]
            assert list(ours.columns) == table["columns"], (words, name)
            for i, column in enumerate(table["columns"]):
                assert ours.column(column) == [r[i] for r in table["rows"]], (words, name, column)
    try:
        import pandas
    except ImportError:
        print("without pandas")
    else:
        frame = answers[("ops",)]["ops"].pandas()
        assert len(frame) == len(answers[("ops",)]["ops"])
        view = answers[("ops",)]["ops"].numpy()["kernel_time_ns"]
        assert view.sum() == frame["kernel_time_ns"].sum() > 0
    for bad in (lambda: longpole.open(path.with_name("none")), lambda: trace.ops()):
        try:
            bad()
        except longpole.Error as e:
            assert str(e)
        else:
            sys.exit("no error where there should be one")
clean = {k: v for k, v in os.environ.items() if k not in ("LONGPOLE_LIBRARY", "LD_LIBRARY_PATH")}
if not subprocess.run(["ldconfig", "-p"], stdout=subprocess.PIPE).stdout.count(b"liblongpole"):
    r = subprocess.run([sys.executable, "-c", "import longpole"], cwd=package, env=clean,
                       stderr=subprocess.PIPE)
    assert r.returncode and b"meson install" in r.stderr, r.stderr
