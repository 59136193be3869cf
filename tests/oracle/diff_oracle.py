#!/usr/bin/env python3
"""diff against the files of TraceLens's TraceDiff, and its laws on real traces.

usage: diff_oracle.py LONGPOLE [SHARED]     exit 77: there are no oracles here

  files   --align tracelens --style tracelens: every file of every pair, byte for byte; pairs with
          Python frames (NAME_py) with --compat-roots; without it only the root that the original
          lists twice is missing from the text
  laws    a trace with itself: all matched, no change; exchanged: the mirror; both sides' GPU time is
          that of `ops`; the same file under another name, moved in time, its events shuffled: no
          difference; two programs: little in common
"""
import gzip, json, pathlib, random, subprocess, sys, tempfile

BINARY = sys.argv[1]
root = pathlib.Path(__file__).resolve().parents[2]
SHARED = pathlib.Path(sys.argv[2]) if len(sys.argv) > 2 else root / '../shared'
TRACES = SHARED / 'traces/tracelens'
wrong = checks = 0


def expect(what, ok):
    global wrong, checks
    checks += 1
    if not ok:
        wrong += 1
        print(f'wrong: {what}')


def longpole(*args):
    run = subprocess.run([BINARY, *map(str, args)], capture_output=True, text=True)
    if run.returncode not in (0, 1):
        sys.exit(f"{' '.join(map(str, args))}: exit {run.returncode}: {run.stderr}")
    return run.stdout


def tables(*args):
    return {name: [dict(zip(t['columns'], row)) for row in t['rows']]
            for name, t in json.loads(longpole(*args, '-f', 'json', '-q')).items()}


def model(gpu, name):
    return next((TRACES / gpu).glob(f'{name}*.json.gz'))


def pair_of(name):
    word, order = name.split('_')[:2]
    word = {'timesformer': 'facebook'}.get(word, word)
    first, second = {'hm': ('h100', 'mi300'), 'mh': ('mi300', 'h100'), 'mi': ('mi300', 'h100'),
                     'self': ('mi300', 'mi300')}[order]
    return model(first, word), model(second, word)


def files(a, b, *options):
    with tempfile.TemporaryDirectory() as folder:
        longpole('diff', a, b, '--align', 'tracelens', '--style', 'tracelens', '-o', folder, *options)
        return {p.name: p.read_bytes() for p in pathlib.Path(folder).iterdir()}


def first_roots(text):
    """The text tree without its second root."""
    lines = text.split(b'\n')
    roots = [i for i, line in enumerate(lines) if line[:3] in ('├'.encode(), '└'.encode())]
    return lines[:roots[1]] + (lines[roots[2]:] if len(roots) > 2 else lines[-1:])


def same_tree(one, other):
    """Equal but for what a root's being the last one draws."""
    def bare(lines):
        return [line.replace('│'.encode(), b' ').replace('└'.encode(), '├'.encode())
                for line in lines if line]
    return bare(one) == bare(other)


def check_files():
    for folder in sorted((SHARED / 'oracles/tracediff').iterdir()):
        a, b = pair_of(folder.name)
        python = folder.name.endswith('_py')
        got = files(a, b, *(('--python', '--compat-roots') if python else ()))
        for path in sorted(folder.iterdir()):
            name = path.name.removesuffix('.gz')
            expect(f'{folder.name}: {name}', gzip.decompress(path.read_bytes()) == got[name])
        if python:
            plain = files(a, b, '--python')['merged_tree_output.txt']
            expect(f'{folder.name}: one root less',
                   same_tree(plain.split(b'\n'), first_roots(got['merged_tree_output.txt'])))
    golden = TRACES / 'tracediff_test'
    got = files(model('mi300', 'facebook'), model('h100', 'facebook'))
    for path in sorted(golden.iterdir()):
        expect(f'tracediff_test: {path.name}', path.read_bytes() == got[path.name])


def shifted(path, to):
    """The same trace: later, its events in another order."""
    with gzip.open(path, 'rt', errors='surrogateescape') as f:
        trace = json.load(f)
    events = trace['traceEvents']
    for e in events:
        if isinstance(e.get('ts'), (int, float)) and e.get('ph') != 'M':
            e['ts'] = round(e['ts'] + 86400.25, 3)
    random.Random(1).shuffle(events)
    with open(to, 'w', errors='surrogateescape') as f:
        json.dump(trace, f)


def check_laws(a, b, *window):
    d, back = tables('diff', a, b, *window), tables('diff', b, a, *window)
    name = ' '.join([a.name[:20], b.name[:20], *window])
    for x, y in zip(d['diff_summary'], back['diff_summary']):
        expect(f'{name}: {x["what"]} mirrored',
               [x[k] for k in ('before_ns', 'after_ns', 'matched', 'moved', 'changed', 'only_before',
                               'only_after')] ==
               [y[k] for k in ('after_ns', 'before_ns', 'matched', 'moved', 'changed', 'only_after',
                               'only_before')])
    for side, path in (('before', a), ('after', b)):
        ops = tables('ops', path, *window)['ops']
        total = sum(r['kernel_time_ns'] for r in ops), sum(r['kernels'] for r in ops)
        for table in ('diff_ops', 'diff_kernels'):
            expect(f'{name}: {table} {side} is ops', sum(r[side + '_ns'] for r in d[table]) == total[0])
        gpu = d['diff_summary'][0]
        expect(f'{name}: GPU events {side}', gpu['count_' + side] == total[1] ==
               gpu['matched'] + gpu['only_' + side])


def check_same(path):
    for options in ((), ('--python',)):
        d = tables('diff', path, path, '--tree', *options)
        expect(f'{path.name}: itself {options}', d['diff_points'] == [] and
               all(r['status'] == 'in place' and r['delta_ns'] == 0 for r in d['diff_tree']))
    with tempfile.TemporaryDirectory() as folder:
        other = pathlib.Path(folder) / 'another name.json'
        shifted(path, other)
        expect(f'{path.name}: shuffled', longpole('diff', path, other).startswith('No difference: '))


if not (SHARED / 'oracles/tracediff').is_dir():
    print('skipped: no oracles')
    sys.exit(77)
check_files()
for word in ('Falconsai', 'Qwen', 'facebook'):
    check_laws(model('mi300', word), model('h100', word))
check_laws(model('mi300', 'resnet'), model('h100', 'gaunernst'))
for window in ('step:16', '50ms..60ms'):
    check_laws(model('mi300', 'resnet'), model('mi300', 'resnet'), '--window', window)
for path in (model('h100', 'gaunernst'), model('mi300', 'resnet'), model('h100', 'Qwen')):
    check_same(path)
expect('two programs', longpole('diff', model('h100', 'facebook'), model('mi300', 'resnet'))
       .startswith('Little in common: '))
print(f'{checks} checks, {wrong} wrong')
sys.exit(wrong != 0)
