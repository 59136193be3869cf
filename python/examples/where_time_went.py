#!/usr/bin/env python3
"""Where the time of a run went: the GPU's time by class and category, who owns most of it, why
the GPU was idle, and whose memory made the peak.

usage: where_time_went.py TRACE
"""
import sys

import longpole


def by_class(trace):
    """Each device's time by class, in ms and percent of its span."""
    frame = trace.timeline()["timeline"].pandas()
    frame["ms"] = frame["time_ns"] / 1e6
    return frame[["device", "what", "ms", "percent"]]


def by_category(ops):
    """GPU time, launches and operators per category, largest first."""
    sums = ops.groupby("category").agg(gpu_ns=("kernel_time_ns", "sum"), kernels=("kernels", "sum"),
                                       operators=("name", "nunique"))
    sums["percent"] = 100 * sums["gpu_ns"] / sums["gpu_ns"].sum()
    return sums.sort_values("gpu_ns", ascending=False)


def that_make_up(ops, percent):
    """The fewest operators that own so much of the GPU time."""
    sums = ops.groupby("name")["kernel_time_ns"].sum().sort_values(ascending=False)
    share = 100 * sums.cumsum() / sums.sum()
    return sums[: int((share < percent).sum()) + 1]


def to_gain(ops):
    """What the operators take beyond what the GPU could do at best, in ms, most first."""
    known = ops.dropna(subset=["above_roofline_ns"])
    return (known.groupby("name")["above_roofline_ns"].sum() / 1e6).sort_values(ascending=False)


def held_at_peak(trace):
    """Who holds the memory at the peak of each device."""
    frame = trace.memory()["memory_ops"].pandas()
    held = frame[frame["at_peak_bytes"] > 0]
    return held.groupby(["device", "op"])["at_peak_bytes"].sum().sort_values(ascending=False)


def show(title, frame):
    print(f"\n{title}\n{frame.to_string()}")


def main(path):
    with longpole.open(path) as trace:
        answer = trace.ops()
        ops = answer["ops"].pandas()
        print(answer.headline)
        for doubt in answer.doubts:
            print("!", doubt)
        show("By class", by_class(trace).round(3))
        show("By category", by_category(ops).round(1))
        most = that_make_up(ops, 80)
        show(f"{len(most)} of {ops['name'].nunique()} operators make up 80 %, ns", most)
        show("Above the roofline, ms", to_gain(ops).head(5).round(3))
        idle = trace.idle()["idle_causes"].pandas()
        show("Why the GPU was idle", idle[["cause", "name", "idle_ns", "percent"]].head(5))
        show("Held at the peak, bytes", held_at_peak(trace).head(5))


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    main(sys.argv[1])
