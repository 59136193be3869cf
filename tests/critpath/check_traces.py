#!/usr/bin/env python3
"""Every real trace with GPU work: the segments touch and sum to the window, to the nanosecond.

    check_traces.py LONGPOLE            the test
    check_traces.py LONGPOLE --table    the class shares as a Markdown table, for the docs

That the replay equals what was measured the tool checks itself, and exits 2 if not.
"""
import json
import pathlib
import subprocess
import sys

exe = sys.argv[1]
table = '--table' in sys.argv
traces = pathlib.Path(__file__).resolve().parent.parent.parent.parent / 'shared' / 'traces'
if not traces.exists():
    print('skipped: no ../shared/traces')
    sys.exit(77)
COLUMNS = ['compute', 'communication', 'memory', 'gpu_gap', 'launch_queue', 'launch_api', 'sync', 'cpu_op', 'python',
           'data_loading', 'runtime_other', 'idle_handoff', 'idle_unknown', 'untraced_gpu']


def rows(answer, name):
    return [dict(zip(answer[name]['columns'], r)) for r in answer[name]['rows']]


def ask(path):
    p = subprocess.run([exe, 'critical-path', '-q', '-f', 'json', str(path)], capture_output=True, text=True)
    return p.returncode, p.stderr, json.loads(p.stdout) if p.returncode == 0 and p.stdout else None


def trouble(answer):
    window = rows(answer, 'window')[0]
    at = window['start_ns']
    for r in rows(answer, 'path'):
        if r['start_ns'] != at or r['dur_ns'] <= 0:
            return f'the path has a hole or an overlap at {at}'
        at += r['dur_ns']
    if at != window['end_ns']:
        return f'the path ends at {at}, the window at {window["end_ns"]}'
    if sum(r['time_ns'] for r in rows(answer, 'path_summary')) != window['window_ns']:
        return 'the classes do not sum to the window'
    for r in rows(answer, 'what_if'):
        if not 0 <= r['gain_ns'] <= r['bound_ns']:
            return f'the gain of {r["target"]} is not within its bound'
    return None


def has_gpu_work(answer):
    return any(lane.startswith('gpu') for lane in (r['lane'] or '' for r in rows(answer, 'path_lanes')))


def name_of(path):
    name = str(path.relative_to(traces))
    for end in ('.gz', '.json', '.trace', '.pt'):
        name = name[:-len(end)] if name.endswith(end) else name
    return name


failed = checked = 0
if table:
    print('| trace | window ms | ' + ' | '.join(COLUMNS) + ' |')
    print('|---' * (len(COLUMNS) + 2) + '|')
for path in sorted(traces.rglob('*.json*')):
    if path.is_dir() or 'perf_report' in str(path) or path.stat().st_size > 8e6:
        continue
    code, err, answer = ask(path)
    if code == 2 and 'internal error' not in err:
        continue                     # no trace at all
    bad = err if answer is None else trouble(answer)
    if bad:
        failed += 1
        print(f'not ok - {path}: {bad}')
    elif has_gpu_work(answer):
        checked += 1
        share = {r['class']: r['percent'] for r in rows(answer, 'path_summary')}
        if table:
            print(f'| {name_of(path)} | {rows(answer, "window")[0]["window_ns"] / 1e6:,.3f} | ' +
                  ' | '.join(f'{share[c]:.1f}' if share.get(c, 0) >= 0.05 else '' for c in COLUMNS) + ' |')
if not table:
    print(f'{checked} traces with GPU work, {failed} wrong')
sys.exit(failed > 0 or checked < 30)
