#!/usr/bin/env python3
"""`longpole memory` against a plain walk over the [memory] events of real traces.

usage: memory_oracle.py LONGPOLE SHARED
"""
import collections, glob, gzip, json, os, subprocess, sys

longpole, shared = sys.argv[1:3]
GLOBS = ("public/harryjmoss__*", "public/CodingPlatelets__*", "hta/df_index_resolver/*",
         "tracelens/h100/[FQfg]*", "tracelens/perf_model/normalization/*")
GPUS = (1, 6, 12, 20)


def walk(path):
    """{device: what memory_peak should say}"""
    with gzip.open(path, "rt", errors="replace") as f:
        trace = json.load(f)
    events = trace["traceEvents"] if isinstance(trace, dict) else trace
    by_device = collections.defaultdict(list)
    for place, e in enumerate(events):
        if e.get("name") == "[memory]" and e.get("ph") == "i":
            a = e["args"]
            name = f"GPU {a['Device Id']}" if a["Device Type"] in GPUS else "CPU"
            by_device[name].append((e["ts"], place, a["Bytes"], a["Total Allocated"],
                                    a["Total Reserved"], a["Addr"]))
    out = {}
    for name, changes in by_device.items():
        changes.sort()
        start = changes[0][3] - changes[0][2]
        peak = max(c[3] for c in changes)
        live, before, gone = {}, start, start
        odd = 0
        for ts, place, size, total, reserved, addr in changes:
            odd += gone + size != total
            gone = total
        for ts, place, size, total, reserved, addr in changes:
            if size > 0:
                live[addr] = size
            elif addr in live:
                del live[addr]
            else:
                before += size
            if total == peak:
                break
        out[name] = {"peak_bytes": peak, "start_bytes": start, "end_bytes": changes[-1][3],
                     "changes": len(changes), "odd_changes": odd, "rest_bytes": before,
                     "allocated_bytes": sum(c[2] for c in changes if c[2] > 0),
                     "freed_bytes": -sum(c[2] for c in changes if c[2] < 0),
                     "reserved_peak_bytes": max(c[4] for c in changes), "held": sum(live.values())}
    return out


traces = sorted(p for g in GLOBS for p in glob.glob(os.path.join(shared, "traces", g + ".json.gz")))
if not traces:
    print("skipped: there are no traces")
    sys.exit(77)
wrong = compared = 0
for path in traces:
    expected = walk(path)
    if not expected:
        continue
    said = json.loads(subprocess.run([longpole, "memory", path, "-f", "json"], check=True,
                                     stdout=subprocess.PIPE, stderr=subprocess.DEVNULL).stdout)
    rows = {n: [dict(zip(t["columns"], r)) for r in t["rows"]] for n, t in said.items()}
    peaks = {r["device"]: r for r in rows["memory_peak"]}
    for device, e in expected.items():
        ops = [r for r in rows["memory_ops"] if r["device"] == device]
        got = dict(peaks.get(device, {}), held=sum(r["at_peak_bytes"] for r in ops))
        for what, value in e.items():
            compared += 1
            if got.get(what) != value:
                wrong += 1
                print(f"{path}: {device}: {what}: {got.get(what)}, not {value}")
        for column in ("allocated_bytes", "freed_bytes"):
            if sum(r[column] for r in ops) != e[column]:
                wrong += 1
                print(f"{path}: {device}: the operators do not add up to {column}")
    if len(rows["memory"]) != sum(e["changes"] for e in expected.values()) or set(peaks) != set(expected):
        wrong += 1
        print(f"{path}: other changes or devices")
print(f"{len(traces)} traces, {compared} figures compared, {wrong} differences")
sys.exit(1 if wrong else 0)
