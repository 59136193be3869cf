#!/usr/bin/env python3
"""What a trace's call trees weigh is what the other commands say.

Of every small trace in SHARED/traces: the GPU tree adds up to `kernels`, event by event, and the
CPU tree of all threads to the time that `info` has their lanes busy; cut by a window of all time,
too, and whichever way up.

    tree_traces.py LONGPOLE SHARED      exits 77 if SHARED is not there
"""
import csv, io, pathlib, subprocess, sys

LONGPOLE, TRACES = sys.argv[1], pathlib.Path(sys.argv[2], 'traces')
if not TRACES.is_dir():
    print('skipped: no traces here')
    sys.exit(77)


def table(*args):
    """None if the command refuses."""
    p = subprocess.run([LONGPOLE, *args, '-q', '-f', 'csv'], stdout=subprocess.PIPE,
                       stderr=subprocess.PIPE)
    if p.returncode:
        return None
    return list(csv.DictReader(io.StringIO(p.stdout.decode(errors='replace'))))


def total(rows, column='total'):
    return sum(int(r[column] or 0) for r in rows or [])


def check(path):
    tree = lambda *args: table('tree', path, '--depth', '1', *args)
    kernels, lanes = table('kernels', path), table('info', '--table', 'lanes', path)
    gpu, cpu = tree('--weight', 'gpu', '--invert'), tree('--thread', 'all', '--invert')
    down = tree('--thread', 'all')
    cut = tree('--thread', 'all', '--window', '-1000000s..1000000s')
    if gpu is None or cpu is None or kernels is None:
        return
    busy = sum(int(r['busy_ns'] or 0) for r in lanes if r['lane'].startswith('cpu'))
    yield 'GPU time', total(gpu), total(kernels, 'total_ns')
    yield 'GPU events', total(gpu, 'count') if gpu else 0, total(kernels, 'count')
    yield 'CPU time', total(cpu), busy
    yield 'CPU time top-down', total(down), busy
    yield 'CPU time by pieces', total(cut), busy


bad = n = 0
for path in sorted(TRACES.rglob('*.json*')):
    if path.stat().st_size > 300000 or '_csvs' in str(path):
        continue
    wrong = [(what, got, want) for what, got, want in check(str(path)) if got != want]
    n += 1
    bad += bool(wrong)
    for what, got, want in wrong:
        print(f'not ok - {path.relative_to(TRACES)}: {what} {got}, not {want}')
print(f'{n} traces, {bad} bad')
sys.exit(bad != 0)
