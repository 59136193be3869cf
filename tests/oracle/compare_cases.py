#!/usr/bin/env python3
"""`compare` on reports small enough to be worked out by hand, and on their odd relatives.

Usage: compare_cases.py LONGPOLE
"""

import json
import os
import re
import subprocess
import sys
import tempfile
import zipfile

tool = sys.argv[1]
here = os.path.dirname(os.path.abspath(__file__))
READS_XLSX = "reads xlsx" in subprocess.run([tool, "--version"], stdout=subprocess.PIPE,
                                            text=True).stdout
WRITES_XLSX = ", xlsx" in subprocess.run([tool, "--version"], stdout=subprocess.PIPE, text=True).stdout

TIMELINE = "type,time ms,percent\nbusy_time,{0},50\ntotal_time,{1},100\n"
KERNELS = "Kernel name,Parent cpu_op,Kernel duration (µs)_sum,Kernel duration (µs)_count\n"
OPS = ("name,Input type,Input Dims,Input Strides,Concrete Inputs,total_direct_kernel_time_sum,"
       "operation_count\n")
done = 0


class Reports:
    """Folders of CSV files below one that goes away."""

    def __init__(self):
        self.top = tempfile.TemporaryDirectory()
        self.n = 0

    def path(self, name):
        return os.path.join(self.top.name, name)

    def folder(self, name, **sheets):
        os.makedirs(self.path(name), exist_ok=True)
        for sheet, text in sheets.items():
            with open(self.path(f"{name}/{sheet}.csv"), "w", newline="") as f:
                f.write(text)
        return self.path(name)


def run(*args):
    return subprocess.run([tool, "compare", *args], stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                          text=True)


def tables(*args):
    p = run(*args, "-f", "json")
    assert p.returncode == 0, p.stderr
    out = {}
    for name, t in json.loads(p.stdout).items():
        out[name] = [dict(zip(t["columns"], r)) for r in t["rows"]]
        out[name + ".columns"] = t["columns"]
    return out, p.stderr


def is_equal(got, want):
    global done
    done += 1
    assert got == want, f"\n got {got}\nwant {want}"


def has(text, words):
    global done
    done += 1
    assert words in text, f"{words!r} is not in {text!r}"


def fails(words, *args):
    p = run(*args)
    is_equal(p.returncode, 2)
    has(p.stderr, words)


def figures_of_one_row(r):
    a = r.folder("a", gpu_timeline=TIMELINE.format(4, 8))
    b = r.folder("b", gpu_timeline=TIMELINE.format(5, 0))
    t, _ = tables(a, b)
    is_equal(t["gpu_timeline"][0], {
        "type": "busy_time", "time ms__b_diff": 1, "time ms__b_pct": 25, "a::time ms": 4,
        "a::percent": 50, "b::time ms": 5, "b::percent": 50})
    t, _ = tables(b, a)
    is_equal([t["gpu_timeline"][1][c] for c in ("time ms__a_diff", "time ms__a_pct")], [8, None])


def rows_of_one_key_pair_in_order(r):
    """Nothing is counted twice; a parent operator tells rows apart first."""
    a = r.folder("a", kernel_summary=KERNELS + "k,mm,10,1\nk,add,4,1\nk,add,3,1\n")
    b = r.folder("b", kernel_summary=KERNELS + "k,add,5,1\nk,mm,11,1\nk,mul,2,1\n")
    t, _ = tables(a, b)
    rows = [(x["a::Parent cpu_op"], x["a::Kernel duration (µs)_sum"],
             x["b::Kernel duration (µs)_sum"]) for x in t["kernel_summary"]]
    is_equal(rows, [("add", 3, None), (None, None, 2), ("mm", 10, 11), ("add", 4, 5)])
    t, _ = tables(a, b, "--style", "tracelens")  # each with each
    is_equal(len(t["kernel_summary"]), 9)


def three_reports(r):
    ops = [r.folder(n, ops_unique_args=OPS + rows) for n, rows in
           [("a", "x,,,,,4,1\ny,,,,,2,1\n"), ("b", "x,,,,,5,1\nz,,,,,1,1\n"), ("c", "y,,,,,9,3\n")]]
    t, _ = tables(*ops)
    names = {n: [x["name"] for x in rows] for n, rows in t.items() if not n.endswith(".columns")}
    is_equal(names, {
        "ops_unique_args_intersect_b": ["x"], "ops_unique_args_only_baseline_b": ["y"],
        "ops_unique_args_only_variant_b": ["z"], "ops_unique_args_intersect_c": ["y"],
        "ops_unique_args_only_baseline_c": ["x"], "ops_unique_args_only_variant_c": []})
    is_equal(t["ops_unique_args_intersect_c"][0]["operation_count__c_diff"], 2)
    is_equal("b::operation_count" in t["ops_unique_args_intersect_c"][0], False)


def keys_are_values(r):
    """1 and 1.0, True and true, columns in another order."""
    a = r.folder("a", ops_unique_args=OPS + "x,True,1,,,4,1\n")
    b = r.folder("b", ops_unique_args="operation_count,Concrete Inputs,Input Strides,Input Dims,"
                 "Input type,total_direct_kernel_time_sum,name\n2,,,1.0,true,5,x\n")
    t, _ = tables(a, b)
    is_equal(len(t["ops_unique_args_intersect_b"]), 1)
    is_equal(t["ops_unique_args_only_variant_b"], [])


def what_is_missing_is_said(r):
    a = r.folder("a", ops_unique_args=OPS + "x,f,1,,,4,1\nx,g,1,,,3,1\n",
                 gpu_timeline=TIMELINE.format(1, 2))
    b = r.folder("b", ops_unique_args="name,Input Dims,total_direct_kernel_time_sum\nx,1,5\nx,1,nan\n",
                 kernel_summary=KERNELS)
    t, said = tables(a, b, "--names", "old,new")
    has(said, "new has no sheet gpu_timeline, old has one: it is not compared")
    has(said, "ops_unique_args of new has no column 'Input type': rows are told apart without it")
    is_equal([x["total_direct_kernel_time_sum__new_diff"] for x in
              t["ops_unique_args_intersect_new"]], [None, 1])
    only = r.folder("only", gpu_timeline="time ms\n3\n")
    fails("have no sheet in common", a, only)


def figures_that_are_none(r):
    a = r.folder("a", kernel_summary=KERNELS + "k,mm,inf,1\nj,mm,\"1,5\",1\ni,mm,2,1\n")
    t, said = tables(a, a)
    has(said, "kernel_summary of a has no number in 'Kernel duration (µs)_sum' in 2 rows (the first "
        "is row 2): taken as missing")
    is_equal({x["a::Kernel duration (µs)_sum"] for x in t["kernel_summary"]}, {"inf", "1,5", "2"})


def families_may_be_in_one_report_alone(r):
    gemm = "name,param: M,param: new,Kernel Time (µs)_sum,name_count\naten::mm,4,1,2.5,1\n"
    ops = "name,total_direct_kernel_time_ms,Count\naten::mm,1,1\n"
    a = r.folder("a", GEMM=gemm, ops_summary=ops)
    b = r.folder("b", ops_summary=ops)
    t, _ = tables(a, b)
    is_equal(len(t["GEMM_only_baseline_b"]), 1)
    is_equal(t["GEMM_intersect_b.columns"][0], "name")
    old = r.folder("old", GEMM=gemm.replace(",param: new", "").replace(",1,2.5", ",2.5"))
    t, _ = tables(a, old)  # a parameter of one version alone is no key
    is_equal(t["GEMM_intersect_old"][0]["a::param: new"], 1)


def the_same_twice(r):
    a = r.folder("a", kernel_summary=KERNELS + "k,mm,10,1\nk,mm,10,1\n")
    p = run(a, a)
    has(p.stdout, "The reports say the same: no time differs in 1 sheet.")
    has(p.stdout, "a_2")


def names_come_from_paths(r):
    for n in ("h100/run_perf_report_csvs", "mi300/run_perf_report_csvs"):
        r.folder(n, kernel_summary=KERNELS + "k,mm,10,1\n")
    t, _ = tables(r.path("h100/run_perf_report_csvs/"), r.path("mi300/"))
    has(" ".join(t["kernel_summary.columns"]), "run::Kernel duration (µs)_sum")
    t, _ = tables(r.path("h100/run_perf_report_csvs/"), r.path("mi300/run_perf_report_csvs"))
    has(" ".join(t["kernel_summary.columns"]), "mi300::Kernel duration (µs)_sum")
    csvs = [r.path(f"{n}/run_perf_report_csvs/kernel_summary.csv") for n in ("h100", "mi300")]
    is_equal(len(tables(*csvs)[0]["kernel_summary"]), 1)
    fails("1 name for 2 reports", *csvs, "--names", "a")
    fails("two reports are called 'a'", *csvs, "--names", "a,a")
    fails("'x/y' is no name for a report", *csvs, "--names", "a,x/y")


def a_hostile_sheet_stays_in_its_folder(r):
    a = r.folder("a", **{"GEMM": "name,param: M,Kernel Time (µs)_sum\nmm,1,2\n"})
    os.rename(r.path("a/GEMM.csv"), r.path("a/..x.csv"))
    out = r.path("out/")
    is_equal(run(a, a, "-o", out).returncode, 2)  # hidden files are no sheets
    if READS_XLSX:
        book = r.path("evil.xlsx")
        workbook(book, {"../../GEMM": [["name", "param: M", "Kernel Time (µs)_sum"], ["mm", 1, 2]]})
        p = run(book, book, "-o", out)
        is_equal(p.returncode, 0)
        is_equal(sorted(os.listdir(out))[0], "_._.._GEMM_intersect_evil_2.csv")


# ---- workbooks ----

def cell(v):
    if isinstance(v, bool):
        return f'<c t="b"><v>{int(v)}</v></c>'
    if isinstance(v, (int, float)):
        return f"<c><v>{v}</v></c>"
    return f'<c t="inlineStr"><is><t>{v}</t></is></c>' if v is not None else "<c/>"


def workbook(path, sheets, **parts):
    names = list(sheets)
    files = {
        "xl/workbook.xml": '<x:workbook xmlns:x="m" xmlns:r="r"><x:sheets>' + "".join(
            f'<x:sheet name="{n}" r:id="r{i}"/>' for i, n in enumerate(names)) +
        "</x:sheets></x:workbook>",
        "xl/_rels/workbook.xml.rels": "<Relationships>" + "".join(
            f'<Relationship Id="r{i}" Type="t/worksheet" Target="worksheets/s{i}.xml"/>'
            for i in range(len(names))) +
        '<Relationship Id="t" Type="t/sharedStrings" Target="sharedStrings.xml"/></Relationships>',
        "xl/sharedStrings.xml": "<sst/>"}
    for i, n in enumerate(names):
        files[f"xl/worksheets/s{i}.xml"] = "<worksheet><sheetData>" + "".join(
            "<row>" + "".join(map(cell, row)) + "</row>" for row in sheets[n]) + \
            "</sheetData></worksheet>"
    files.update(parts)
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as z:
        for name, text in files.items():
            z.writestr(name, text)


def workbooks_are_reports(r):
    if not READS_XLSX:
        book = r.path("a.xlsx")
        open(book, "wb").write(b"PK\3\4")
        return fails("was built without libzip and expat", book, book)
    head = ["Kernel name", "Parent cpu_op", "Kernel duration (µs)_sum", "Kernel duration (µs)_count"]
    book = r.path("book.xlsx")
    workbook(book, {"kernel_summary": [head, ["k&lt;1&gt;", None, 10.5, 1], ["a_x000A_b", "mm", 2, 1]]})
    a = r.folder("a", kernel_summary=KERNELS + "k<1>,,10.5,1.0\n\"a\nb\",mm,3,1\n")
    t, _ = tables(a, book)
    is_equal([x["Kernel duration (µs)_sum__book_diff"] for x in t["kernel_summary"]], [-1, 0])

    part = "xl/sharedStrings.xml"
    bomb = "<sst><si><t>" + "a" * (20 << 20) + "</t></si></sst>"
    workbook(book, {}, **{part: bomb})
    fails(f"book.xlsx: {part}, line 1", book, a)
    fails("a text of more than 16 MiB", book, a)
    laughs = '<!DOCTYPE l [<!ENTITY a "aaaa">]><sst><si><t>&a;</t></si></sst>'
    workbook(book, {}, **{part: laughs})
    fails("a document type, which no workbook has", book, a)
    workbook(book, {}, **{part: "<sst><si></sst>"})
    fails("mismatched tag", book, a)
    with open(book, "rb") as f:
        whole = f.read()
    with open(r.path("cut.xlsx"), "wb") as f:
        f.write(whole[:-40])
    fails("cut.xlsx: not a whole Excel workbook", r.path("cut.xlsx"), a)
    with zipfile.ZipFile(r.path("other.zip"), "w") as z:
        z.writestr("readme.txt", "hello")
    fails("other.zip: no Excel workbook: xl/workbook.xml", r.path("other.zip"), a)


def what_longpole_writes_it_reads(r):
    """The report of a trace as a folder, as a workbook and as the trace itself: all the same."""
    trace = os.path.join(here, "../data/cases/43_leaf_ops_and_orphans.json")
    for style in ("tracelens", "longpole"):
        outs = [r.path(style) + "/"] + ([r.path(style + ".xlsx")] if READS_XLSX and WRITES_XLSX else [])
        for out in outs:
            p = subprocess.run([tool, "report", trace, "--style", style, "-o", out, "-q"],
                               stderr=subprocess.PIPE, text=True)
            assert p.returncode == 0, p.stderr
        p = run(*outs, trace)
        has(p.stdout, "The reports say the same")
        out, _ = tables(*outs, trace)
        is_equal({n for n, rows in out.items() if "_only_" in n and not n.endswith(".columns") and rows},
                 set())


def names_of_sheets_differ(r):
    """Excel takes 31 characters, whichever the case: what is one there gets a number."""
    if not WRITES_XLSX:
        return
    rows = ("name,Input type,Input Dims,Input Strides,Concrete Inputs,Kernel Time (µs)_sum\n"
            "x,,,,,4\n")
    folders = [r.folder(n, unified_perf_summary=rows) for n in ("a", "b", "c")]
    p = run(*folders, "--names", "a,[b]:*?,c", "-o", r.path("x.xlsx"))
    is_equal((p.returncode, p.stderr), (0, ""))
    with zipfile.ZipFile(r.path("x.xlsx")) as z:
        names = re.findall('<sheet name="([^"]*)"', z.read("xl/workbook.xml").decode())
    is_equal(names[::3], ["unified_perf_summary_intersect_", "unified_perf_summary_intersec~2", "notes"])


for case in (figures_of_one_row, rows_of_one_key_pair_in_order, three_reports, keys_are_values,
             what_is_missing_is_said, figures_that_are_none, families_may_be_in_one_report_alone,
             the_same_twice, names_come_from_paths, a_hostile_sheet_stays_in_its_folder,
             workbooks_are_reports, names_of_sheets_differ, what_longpole_writes_it_reads):
    case(Reports())
print(f"{done} checks")
