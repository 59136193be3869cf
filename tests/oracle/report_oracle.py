#!/usr/bin/env python3
"""`report --style tracelens` against the reports of TraceLens, cell by cell.

Usage: report_oracle.py LONGPOLE SHARED [WORD]     (WORD: only references whose path has it)

A sheet must have the same columns in the same order and the same rows. Rows that tie in the sort
key may stand in any order. Text must be equal; numbers, those inside of text too, within 1e-6
relative or 0.5 ns per event. What may differ is listed in EXCEPTIONS with the reason, and counted.
"""

import collections
import csv
import gzip
import math
import os
import re
import subprocess
import sys
import tempfile

csv.field_size_limit(10**9)

# (words of the reference's path, sheet, column or "", reason): first match wins.
EXCEPTIONS = [
    ("mi300/resnet_act_checkpoint_recompute", "unified_perf_summary", "",
     "written before the refactoring: one row of max_pool2d_with_indices_backward with the fill_ "
     "below it; every line after it has another running sum"),
    ("inference/vllm", "ops_summary_by_category", "",
     "most of its kernels are replays of graphs, which the original charges to the operators of a "
     "second trace, of the capture (--capture_folder)"),
    ("inference/xdit", "ops_summary_by_category", "", "replays of graphs, as above"),
    ("h100/facebook_timesformer", "", "trunc_kernel_details",
     "rounding of doubles: a mean of 157.565 us is cut to two digits up or down"),
]

NUMBER = re.compile(r"(?<![A-Za-z_0-9.])-?\d+(?:\.\d+)?(?:[eE][-+]?\d+)?(?![A-Za-z_0-9])")
COUNTS = ("operation_count", "name_count", "Count", "Short Kernel count",
          "Kernel duration (µs)_count", "count")


def read(path):
    with (gzip.open if path.endswith(".gz") else open)(path, "rt", newline="") as f:
        rows = list(csv.reader(f))
    return rows[0], [dict(zip(rows[0], r)) for r in rows[1:]]


def number(text):
    try:
        return float(text)
    except ValueError:
        return None


class Spelling:
    """What another release of numpy or pandas writes for the same value."""
    numpy = none = 0

    @staticmethod
    def plain(text):
        return re.sub(r"np\.float64\(([^()]*)\)", r"\1", text)

    @classmethod
    def undo(cls, column, ours, theirs):
        if "np.float64(" in theirs:
            cls.numpy += 1
            theirs = cls.plain(theirs)
        if ours in ("None", "nan") and theirs == "" and column.startswith("param: "):
            cls.none += 1
            theirs = ours
        return theirs


def close(a, b, slack):
    return a == b or math.isclose(a, b, rel_tol=1e-6, abs_tol=slack)


def same_cell(a, b, slack):
    if a == b:
        return True
    x, y = number(a), number(b)
    if x is not None and y is not None:
        return close(x, y, slack)
    if NUMBER.split(a) != NUMBER.split(b):
        return False
    return all(close(float(p), float(q), slack)
               for p, q in zip(NUMBER.findall(a), NUMBER.findall(b)))


TIMES = re.compile("time|dur|µs|kernel_details|bin_|Percentage|percent", re.I)


def slack_of(row, column, events):
    """0.5 ns for each event of the row, in the column's unit; 0 for what is no time."""
    if not TIMES.search(column):
        return 0
    n = next((number(row[c]) for c in COUNTS if number(row.get(c, "")) is not None), events)
    return n * (5e-7 if "ms" in column.split("_")[-1].split() + column.split() else 5e-4)


def key_of(row, columns):
    """What names a row: its texts and counts, without the numbers inside."""
    return tuple(NUMBER.sub("#", Spelling.plain(row[c])) if c not in COUNTS else row[c] for c in columns
                 if c in COUNTS or (number(row[c]) is None and row[c] not in ("", "None", "nan")))


class Comparison:
    def __init__(self):
        self.cells = self.rows = self.sheets = 0
        self.excused = collections.Counter()
        self.wrong = []

    def fault(self, where, sheet, column, text):
        for words, s, c, reason in EXCEPTIONS:
            if all(w in where for w in words.split()) and s in ("", sheet) and c in ("", column):
                self.excused[(words, s, c, reason)] += 1
                return
        self.wrong.append(f"{where}: {sheet}: {column}: {text}")

    def sheet(self, where, sheet, ours, reference, events):
        cols, ref = read(reference)
        our_cols, got = read(ours)
        self.sheets += 1
        if cols != our_cols:
            self.fault(where, sheet, "columns",
                       f"missing {[c for c in cols if c not in our_cols]}, "
                       f"extra {[c for c in our_cols if c not in cols]}, or in another order")
        cols = [c for c in cols if c in our_cols]
        if sheet == "short_kernel_histogram" or sheet == "gpu_timeline":
            pairs = list(zip(got, ref))
            if len(got) != len(ref):
                self.fault(where, sheet, "rows", f"{len(got)}, not {len(ref)}")
        else:
            pairs = self.pair(where, sheet, got, ref, cols)
        if "Cumulative Percentage (%)" in cols:  # a sum down the lines, whoever ties
            for a, b in zip(got, ref):
                a["Cumulative Percentage (%)"], running = b["Cumulative Percentage (%)"], a[
                    "Cumulative Percentage (%)"]
                if not same_cell(running, b["Cumulative Percentage (%)"], 1e-9):
                    self.fault(where, sheet, "Cumulative Percentage (%)", running)
            cols = [c for c in cols if c != "Cumulative Percentage (%)"]
        for a, b in pairs:
            self.rows += 1
            for c in cols:
                self.cells += 1
                theirs = Spelling.undo(c, a[c], b[c])
                if not same_cell(a[c], theirs, slack_of(b, c, events)):
                    self.fault(where, sheet, c, f"{a[c][:300]!r}, not {b[c][:300]!r} "
                               f"({list(b.values())[0][:60]})")

    def pair(self, where, sheet, got, ref, cols):
        """Rows of equal texts, those of one text by their numbers."""
        waiting = collections.defaultdict(list)
        for row in got:
            waiting[key_of(row, cols)].append(row)
        pairs, lost = [], []
        for row in ref:
            found = waiting.get(key_of(row, cols))
            if not found:
                lost.append(row)
                continue
            best = max(found, key=lambda r: sum(
                same_cell(r[c], row[c], slack_of(row, c, 1)) for c in cols))
            found.remove(best)
            pairs.append((best, row))
        extra = [r for rows in waiting.values() for r in rows]
        for row in list(lost):  # a row whose texts differ is told by its name
            near = [r for r in extra if all(r.get(c) == row.get(c) for c in cols[:1])]
            if near:
                best = max(near, key=lambda r: sum(r[c] == row[c] for c in cols))
                extra.remove(best)
                lost.remove(row)
                pairs.append((best, row))
        for row in lost:
            self.fault(where, sheet, "rows", f"missing {list(row.values())[:3]}"[:300])
        for row in extra:
            self.fault(where, sheet, "rows", f"extra {list(row.values())[:3]}"[:300])
        return pairs


# Sheets of its inference report that were made with the flags its tests have.
MODULE_SHEETS = {"gpu_timeline", "ops_summary_by_category"}


def options(where):
    """How a reference was made."""
    if "_recompute_" in where:
        return ["--recompute"]
    return ["--modules"] if where.startswith("inference/") else []


def references(shared):
    """(what, trace, folder of CSVs)"""
    traces = os.path.join(shared, "traces", "tracelens")
    found = []
    for base, dirs, files in os.walk(traces):
        for d in dirs:
            if d.endswith("_perf_report_csvs"):
                stem = d[: -len("_perf_report_csvs")]
                stem = stem[: -len("_recompute")] if stem.endswith("_recompute") else stem
                trace = os.path.join(base, stem + ".json.gz")
                if os.path.exists(trace):
                    found.append((os.path.relpath(os.path.join(base, d), traces), trace,
                                  os.path.join(base, d)))
            if d == "perf_csvs":
                found += [(os.path.relpath(os.path.join(base, d), traces), os.path.join(base, f),
                           os.path.join(base, d)) for f in files if f.endswith(".json.gz")]
        for f in files:
            if f.endswith(".json.gz"):
                path = os.path.join(base, f)
                flat = os.path.relpath(path, traces)[: -len(".json.gz")].replace(os.sep, "_")
                oracle = os.path.join(shared, "oracles", "tracelens_refactored", flat)
                if os.path.isdir(oracle):
                    found.append(("refactored/" + flat, path, oracle))
    return sorted(found)


def events_of(folder):
    path = next((os.path.join(folder, f) for f in os.listdir(folder)
                 if f.startswith("kernel_summary.csv")), None)
    return sum(int(r["Kernel duration (µs)_count"]) for r in read(path)[1]) if path else 1000


def main():
    longpole, shared = sys.argv[1:3]
    word = sys.argv[3] if len(sys.argv) > 3 else ""
    refs = [r for r in references(shared) if word in r[0]] if os.path.isdir(shared) else []
    if not refs:
        print("skipped: there are no reference reports")
        return 77
    c = Comparison()
    for where, trace, folder in refs:
        with tempfile.TemporaryDirectory() as out:
            subprocess.run([longpole, "report", trace, *options(where), "--style", "tracelens", "-f", "csv", "-q",
                            "-o", out + "/"], check=True, stderr=subprocess.DEVNULL)
            ours = {f[:-4] for f in os.listdir(out)}
            theirs = {f.split(".csv")[0]: f for f in os.listdir(folder)}
            if "--modules" in options(where):
                ours &= MODULE_SHEETS
                theirs = {s: f for s, f in theirs.items() if s in MODULE_SHEETS}
            optional = {"kernel_summary", "short_kernel_histogram", "short_kernels_summary"}
            for sheet in sorted((ours ^ set(theirs)) - optional):
                c.fault(where, sheet, "", "missing sheet" if sheet in theirs else "extra sheet")
            for sheet in sorted(ours & set(theirs)):
                c.sheet(where, sheet, f"{out}/{sheet}.csv", os.path.join(folder, theirs[sheet]),
                        events_of(folder))
    print(f"{len(refs)} reports, {c.sheets} sheets, {c.rows} rows, {c.cells} cells compared")
    for (words, sheet, column, reason), n in sorted(c.excused.items()):
        print(f"{n:6} excused: {words or 'all'}: {sheet or 'all sheets'}: {column or 'all'}: {reason}")
    print(f"{Spelling.numpy:6} excused: cells with np.float64(1.5) for 1.5: spelling of numpy 2")
    print(f"{Spelling.none:6} excused: empty parameters for None: spelling of another pandas")
    for line in c.wrong[:int(os.environ.get("SHOW", "200"))]:
        print(line)
    print(f"{len(c.wrong)} differences")
    return 1 if c.wrong else 0


if __name__ == "__main__":
    sys.exit(main())
