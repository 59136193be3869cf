#!/usr/bin/env python3
"""`compare --style tracelens` against the comparisons of TraceLens, every sheet, cell by cell.

Usage: compare_oracle.py LONGPOLE SHARED

A sheet must have the same columns in the same order and the same rows, in any order; texts must be
equal, numbers within 1e-6 relative. The same inputs are compared once more in our own style: there
each row of a report is in one line, so sums must be those of the reports; and as workbooks, which
must give the same tables as the folders. What may differ is in EXCEPTIONS, counted.
"""

import collections
import csv
import math
import os
import subprocess
import sys
import tempfile

csv.field_size_limit(10**9)

CASES = [  # first report, second report, reference, names
    ("compare_test/256thread/perf_56ch_rank7_perf_report_csvs",
     "compare_test/512thread/perf_56ch_rank7_perf_report_csvs",
     "compare_test/reference/compare_56ch_rank7_across_threads_csvs", "256thread,512thread"),
    ("compare_test_ops/256thread/perf_28ch_rank0_perf_report_csvs",
     "compare_test_ops/512thread/perf_28ch_rank0_perf_report_csvs",
     "compare_test_ops/reference/compare_28ch_rank0_across_threads_csvs", "256thread,512thread"),
    ("compare_test_e2e/reference/h100_perf_report_csvs",
     "compare_test_e2e/reference/mi300_perf_report_csvs",
     "compare_test_e2e/reference/compare_h100_mi300_qwen_csvs", "h100,mi300"),
]

# (sheet, column, reason)
EXCEPTIONS = [
    ("", "unrounded",
     "the reference was read back from Excel: a double to 15 or 16 digits, so a difference of two "
     "nearly equal numbers has fewer right ones"),
]


def read(path):
    with open(path, newline="") as f:
        rows = [r for r in csv.reader(f) if r]
    return (rows[0], rows[1:]) if rows else ([], [])


def number(text):
    try:
        return float(text)
    except ValueError:
        return None


def same(a, b):
    x, y = number(a), number(b)
    if x is None or y is None:
        return a == b
    return math.isclose(x, y, rel_tol=1e-6)


class Comparison:
    def __init__(self):
        self.sheets = self.rows = self.cells = 0
        self.excused = collections.Counter()
        self.wrong = []

    def fault(self, sheet, text):
        self.wrong.append(f"{sheet}: {text}")

    def near(self, columns, row, theirs, c):
        """A difference of the two numbers it is of, to the digits that these have."""
        name = columns[c]
        if not name.endswith(("_diff", "_pct")):
            return False
        figure, tag = name.rsplit("__", 1)
        of = [number(row[i]) for i, k in enumerate(columns) if k.endswith("::" + figure)]
        size = max((abs(v) for v in of if v is not None), default=0)
        slack = 1e-12 * (size if tag.endswith("_diff") else 100)
        if abs(float(row[c]) - float(theirs)) > slack:
            return False
        self.excused[EXCEPTIONS[0]] += 1
        return True

    def cell(self, columns, a, b, c):
        if same(a[c], b[c]):
            return True
        return number(a[c]) is not None and number(b[c]) is not None and self.near(columns, a, b[c], c)

    def sheet(self, name, ours, reference):
        columns, rows = read(ours)
        wanted, theirs = read(reference)
        self.sheets += 1
        if columns != wanted:
            return self.fault(name, f"columns {[c for c in wanted if c not in columns]} missing, "
                              f"{[c for c in columns if c not in wanted]} too many, or their order")
        if len(rows) != len(theirs):
            return self.fault(name, f"{len(rows)} rows, not {len(theirs)}")
        self.rows += len(rows)
        waiting = collections.defaultdict(list)
        words = [c for c in range(len(columns))
                 if all(number(r[c]) is None for r in rows + theirs)]
        for r in rows:
            waiting[tuple(r[c] for c in words)].append(r)
        for r in theirs:
            key = tuple(r[c] for c in words)
            fits = [g for g in waiting[key]
                    if all(self.cell(columns, g, r, c) for c in range(len(columns)))]
            if fits:
                waiting[key].remove(fits[0])
                self.cells += len(columns)
                continue
            near = waiting[key][0] if waiting[key] else None
            self.fault(name, f"no row as {dict(zip(columns, r))}"[:1500] if near is None else
                       [(columns[c], near[c], r[c]) for c in range(len(columns))
                        if not self.cell(columns, near, r, c)][:4])


def run(tool, *args):
    p = subprocess.run([tool, "compare", *args], stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                       text=True)
    if p.returncode:
        sys.exit(f"longpole compare {' '.join(args)}: {p.stderr}")


def total(path, column):
    columns, rows = read(path)
    if column not in columns:
        return 0.0
    i = columns.index(column)
    return math.fsum(number(r[i]) or 0 for r in rows)


def check_sums(c, folder, name, reports):
    """Our own style: what each report says in all, all lines together say, too."""
    sums = {"ops_summary": ("total_direct_kernel_time_ms", ["{s}"]),
            "kernel_summary": ("Kernel duration (µs)_sum", ["{s}"]),
            "ops_unique_args": ("total_direct_kernel_time_sum",
                                ["{s}_intersect_{b}", "{s}_only_{side}_{b}"]),
            "unified_perf_summary": ("Kernel Time (µs)_sum",
                                     ["{s}_intersect_{b}", "{s}_only_{side}_{b}"])}
    tags = name.split(",")
    done = 0
    for sheet, (column, files) in sums.items():
        for tag, report, side in zip(tags, reports, ("baseline", "variant")):
            source = os.path.join(report, sheet + ".csv")
            if not os.path.exists(source) or column not in read(source)[0]:
                continue
            said = total(source, column)
            found = sum(total(os.path.join(folder, f.format(s=sheet, b=tags[1], side=side) + ".csv"),
                              f"{tag}::{column}") for f in files)
            done += 1
            if not math.isclose(said, found, rel_tol=1e-9):
                c.fault(sheet, f"the lines of {tag} add up to {found}, the report to {said}")
    return done


def main():
    tool, shared = sys.argv[1:3]
    root = os.path.join(shared, "traces/tracelens")
    if not os.path.isdir(root):
        return print("skipped: no reports of TraceLens here")
    c, sums = Comparison(), 0
    with tempfile.TemporaryDirectory() as top:
        for i, (first, second, reference, names) in enumerate(CASES):
            reports = [os.path.join(root, p) for p in (first, second)]
            theirs, out = os.path.join(root, reference), os.path.join(top, str(i))
            own = out + "_own"
            run(tool, *reports, "--names", names, "--style", "tracelens", "-o", out + "/", "-q")
            for f in sorted(os.listdir(theirs)):
                ours = os.path.join(out, f)
                if os.path.exists(ours):
                    c.sheet(f"{reference}: {f}", ours, os.path.join(theirs, f))
                else:
                    c.fault(f"{reference}: {f}", "there is no such sheet")
            run(tool, *reports, "--names", names, "-o", own + "/", "-q")
            sums += check_sums(c, own, names, reports)
    for (sheet, column, reason), n in c.excused.items():
        print(f"{n} cells, {column}: {reason}")
    print(f"{c.sheets} sheets, {c.rows} rows, {c.cells} cells; {sums} sums; {len(c.wrong)} wrong")
    for w in c.wrong[:20]:
        print(w)
    sys.exit(bool(c.wrong) or not c.sheets or not sums)


main()
