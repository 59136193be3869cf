#!/usr/bin/env python3
"""What changed from one run to the next, and what would help the second: a sweep of what-ifs.

usage: compare_runs.py BEFORE AFTER
"""
import sys

import longpole

FACTORS = ("1.25x", "1.5x", "2x", "4x", "0")


def changes(before, after):
    """What the traces differ in, per operator, the largest change first."""
    frame = longpole.diff(before, after)["diff_ops"].pandas()
    sums = frame.groupby("name")[["before_ns", "after_ns"]].sum()
    sums["delta_ns"] = sums["after_ns"] - sums["before_ns"]
    return sums.reindex(sums["delta_ns"].abs().sort_values(ascending=False).index)


def classes(trace, n):
    """What the critical path is made of most: n classes, and the length of the window."""
    answer = trace.critical_path()
    path = answer["path_summary"].pandas().sort_values("time_ns", ascending=False)
    return list(path["class"][:n]), int(answer["window"].pandas()["window_ns"][0])


def sweep(trace, targets, factors=FACTORS):
    """The window if each target were faster by each factor ("0": took no time), in ms."""
    scenarios = [f"{target}={factor}" for target in targets for factor in factors]
    frame = trace.critical_path(what_if=scenarios)["what_if"].pandas()
    table = frame.pivot_table(index="target", columns="factor", values="window_ns")
    return (table / 1e6).reindex(index=targets, columns=list(factors))


def main(before, after):
    with longpole.open(before) as a, longpole.open(after) as b:
        print(longpole.diff(a, b).headline)
        print(changes(a, b).head(10).to_string())
        targets, window = classes(b, 3)
        print(f"\nThe window of {after} is {window / 1e6:.3f} ms; faster by, it would be, ms")
        print(sweep(b, targets).round(3).to_string())


if __name__ == "__main__":
    if len(sys.argv) != 3:
        sys.exit(__doc__)
    main(*sys.argv[1:])
