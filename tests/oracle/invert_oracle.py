#!/usr/bin/env python3
"""Compares `longpole tree` with Firefox Profiler's library on the same files.

The oracle holds, per thread: the inverted tree of the first 20 roots to 10 levels (how many
nodes, and the sum of total x level over them), the first roots with some children, and the
top-down tree's beginning. Samples must agree exactly, milliseconds to 1e-6.

    invert_oracle.py LONGPOLE SHARED      exits 77 if SHARED is not there
"""
import csv, gzip, io, json, math, pathlib, subprocess, sys

LONGPOLE, SHARED = sys.argv[1], pathlib.Path(sys.argv[2])
ORACLES = SHARED / 'oracles/inverted'
if not ORACLES.is_dir():
    print('skipped: no oracles here')
    sys.exit(77)


def tree(path, thread, invert, roots, depth):
    cmd = [LONGPOLE, 'tree', str(path), '-q', '-f', 'csv', '--thread', str(thread),
           '--order', 'firefox', '--depth', str(depth)]
    cmd += ['--roots', str(roots)] if roots else []
    cmd += ['--invert'] if invert else []
    out = subprocess.run(cmd, stdout=subprocess.PIPE, check=True).stdout.decode()
    rows = list(csv.DictReader(io.StringIO(out)))
    for r in rows:
        scale = 1e-6 if r['unit'] == 'ns' else 1
        r['total'], r['self'] = float(r['total']) * scale, float(r['self']) * scale
        r['level'] = 1 if r['parent'] == '' else rows[int(r['parent'])]['level'] + 1
        r['children'] = []
        if r['parent'] != '':
            rows[int(r['parent'])]['children'].append(r)
    return rows


def near(a, b, exact):
    return a == b if exact else math.isclose(a, b, rel_tol=1e-6, abs_tol=1e-6)


def compare(got, want, exact, where):
    """Lists of siblings, as far as the oracle goes; sums of doubles break ties by chance."""
    got = list(got)
    for i, w in enumerate(want):
        if i >= len(got):
            return f'{where}: {w["name"]} is missing'
        j = i
        while not exact and j + 1 < len(got) and got[j]['name'] != w['name'] and \
                near(got[j + 1]['total'], got[i]['total'], exact):
            j += 1
        got[i], got[j] = got[j], got[i]
        g = got[i]
        if not near(g['total'], w['total'], exact) or not near(g['self'], w['self'], exact):
            return f'{where}: {w["name"]} {w["total"]}/{w["self"]}, not {g["name"]} {g["total"]}/{g["self"]}'
        if g['name'] != w['name']:
            return f'{where}: {w["name"]}, not {g["name"]} ({w["total"]})'
        bad = compare(g['children'], w.get('children', []), exact, where + ' > ' + w['name'])
        if bad:
            return bad
    return None


def check(path, t):
    exact = t['weightType'] == 'samples'
    rows = tree(path, t['index'], True, 20, 10)
    roots = [r for r in rows if r['level'] == 1]
    nodes, total = len(rows), sum(r['total'] * r['level'] for r in rows)
    if nodes != t['expanded_inverted']:
        yield f'{t["expanded_inverted"]} nodes, not {nodes}'
    if not near(total, t['checksum_inverted'], exact):
        yield f'checksum {t["checksum_inverted"]}, not {total}'
    yield compare(roots, t['inverted'], exact, 'inverted')
    rows = tree(path, t['index'], True, 0, 1)
    if len(rows) != t['roots_inverted']:
        yield f'{t["roots_inverted"]} roots, not {len(rows)}'
    if not near(sum(r['total'] for r in rows), t['root_total'], exact):
        yield f'sum of roots {t["root_total"]}, not {sum(r["total"] for r in rows)}'
    rows = tree(path, t['index'], False, 0, 6)
    yield compare([r for r in rows if r['level'] == 1], t['noninverted'], exact, 'top-down')


failed = n = 0
for oracle in sorted(ORACLES.glob('*.json.gz')):
    want = json.loads(gzip.open(oracle).read())
    path = next((SHARED / 'profiles').rglob(want['file']))
    for t in want['threads']:
        bad = [b for b in check(path, t) if b]
        n += 1
        failed += bool(bad)
        print(f'{"not ok" if bad else "ok"} {n} - {want["file"]} thread {t["index"]}')
        for b in bad:
            print('#  ', b)
print(f'1..{n}')
sys.exit(failed != 0)
