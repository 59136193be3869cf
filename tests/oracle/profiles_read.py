#!/usr/bin/env python3
"""Every file in SHARED/profiles is read, or refused in one sentence; and what is known of some.

    profiles_read.py LONGPOLE SHARED      exits 77 if SHARED is not there
"""
import csv, io, pathlib, subprocess, sys

LONGPOLE, PROFILES = sys.argv[1], pathlib.Path(sys.argv[2], 'profiles')
if not PROFILES.is_dir():
    print('skipped: no profiles here')
    sys.exit(77)

SUMS = {  # file: unit and sum of all weights, by other means
    'vecpush.collapsed': ('samples', 25),
    'synthetic_s50k.collapsed.gz': ('samples', 200000),
    'synthetic_s50k.processed.json.gz': ('samples', 200000),
    'pytorch/h100_owlv2.collapsed.gz': ('samples', 2423218750),
    'pytorch/h100_owlv2.processed.json.gz': ('ns', 2423218750),
    'firefox/flamegraph.txt': ('samples', 152364),
    'inferno/tests/data/diff-folded/before_fractionals.txt': ('samples', 67.084398325),
    'inferno/tests/data/diff-folded/results/default.txt': ('samples', 15),
    'speedscope/sample/profiles/speedscope/0.0.1/simple.speedscope.json': ('samples', 14),
    'speedscope/sample/profiles/speedscope/0.6.0/two-sampled.speedscope.json': ('ns', 28 * 10**9),
    'speedscope/sample/profiles/pprof/simple.prof': ('ns', 1500000000),
    'speedscope/sample/profiles/node/10.11.0/Heap-20181003T105432.heapprofile': ('bytes', 525704),
}


def run(path):
    p = subprocess.run([LONGPOLE, 'tree', str(path), '-q', '-f', 'csv', '--invert', '--thread', 'all',
                        '--depth', '1'], stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    return p.returncode, p.stdout, p.stderr.decode(errors='replace')


bad = read = refused = 0
for path in sorted(p for p in PROFILES.rglob('*') if p.is_file()):
    name = str(path.relative_to(PROFILES))
    code, out, err = run(path)
    why = None
    if code == 2 and err.startswith('longpole: ') and err.count('\n') == 1:
        refused += 1
    elif code != 0:
        why = f'exit {code}: {err}'
    else:
        read += 1
    if name in SUMS:
        rows = list(csv.DictReader(io.StringIO(out.decode())))
        got = rows[0]['unit'] if rows else None, sum(float(r['total']) for r in rows)
        if got[0] != SUMS[name][0] or abs(got[1] - SUMS[name][1]) > 1e-6:
            why = f'{got}, not {SUMS[name]}'
    if why:
        bad += 1
        print(f'not ok - {name}: {why}')
print(f'{read} read, {refused} refused, {bad} bad')
sys.exit(bad != 0)
