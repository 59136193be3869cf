#!/usr/bin/env python3
"""diff on the hand-made pairs: who is whose partner, counts and times worked out with each, in us.

usage: diff_cases.py LONGPOLE
"""
import json, pathlib, subprocess, sys, tempfile

CASES = pathlib.Path(__file__).resolve().parents[1] / 'data/cases'
BINARY = sys.argv[1]
wrong = checks = 0


def expect(what, got, want):
    global wrong, checks
    checks += 1
    if got != want:
        wrong += 1
        print(f'{what}: {got}, not {want}')


def ask(before, after, *options):
    run = subprocess.run([BINARY, 'diff', before, after, '--tree', '-f', 'json', '-q',
                          *options], capture_output=True, text=True)
    if run.returncode not in (0, 1):
        sys.exit(f'{before}: exit {run.returncode}: {run.stderr}')
    return {name: [dict(zip(t['columns'], row)) for row in t['rows']]
            for name, t in json.loads(run.stdout).items()}


def counts(answer, what):
    row = next(r for r in answer['diff_summary'] if r['what'] == what)
    return tuple(row[c] for c in ('count_before', 'count_after', 'matched', 'only_before', 'only_after'))


def us(ns):
    return None if ns is None else ns / 1000


def times(rows, key='name'):
    return {r[key]: (us(r['before_ns']), us(r['after_ns']), us(r['delta_ns'])) for r in rows}


def tree(answer):
    """Each node of the merged tree as (path of names with marks, GPU us before, after)."""
    path, out = {}, []
    for r in answer['diff_tree']:
        mark = {'only before': '>', 'only after': '<'}.get(r['status'], '')
        path[r['id']] = (path[r['parent']] if r['parent'] is not None else ()) + (mark + r['name'],)
        out.append(('/'.join(path[r['id']]), us(r['before_ns']), us(r['after_ns'])))
    return out


def pair(name, before='before.json', after='after.json'):
    return str(CASES / name / before), str(CASES / name / after)


def check_mirror(name, a, b):
    one, other = ask(a, b), ask(b, a)
    for x, y in zip(one['diff_summary'], other['diff_summary']):
        expect(f'{name} mirrored, {x["what"]}',
               (y['before_ns'], y['after_ns'], y['matched'], y['only_before'], y['only_after']),
               (x['after_ns'], x['before_ns'], x['matched'], x['only_after'], x['only_before']))
    for side in (a, b):
        same = ask(side, side)
        expect(f'{name} with itself', [r for r in same['diff_tree'] if r['status'] != 'in place'], [])
        expect(f'{name} with itself', {r['delta_ns'] for r in same['diff_ops']} - {0}, set())


def files(a, b, align='tracelens'):
    with tempfile.TemporaryDirectory() as folder:
        subprocess.run([BINARY, 'diff', a, b, '--align', align, '--style', 'tracelens', '-q',
                        '-o', folder], check=True)
        return {p.name: p.read_text() for p in pathlib.Path(folder).iterdir()}


# 76: other kernel names, other vendor, one operator more, without GPU work
a, b = pair('76_diff_pair', 'a.json', 'b.json')
d = ask(a, b)
expect('76 GPU', counts(d, 'gpu_time'), (3, 3, 3, 0, 0))
expect('76 operators', counts(d, 'operators'), (4, 5, 4, 0, 1))
expect('76 tree', [t for t in tree(d) if t[0].count('/') < 2], [
    ('block', 60, 75), ('block/<aten::dropout', None, 0), ('block/aten::bmm', 30, 45),
    ('block/aten::softmax', 10, 10), ('block/aten::bmm', 20, 20)])
expect('76 ops', times(d['diff_ops'])['aten::bmm'], (50, 65, 15))
check_mirror('76', a, b)

# 140: the attention block in three orders
a, b = pair('140_diff_attention_permuted')
d = ask(a, b)
expect('140 GPU', counts(d, 'gpu_time'), (27, 24, 21, 6, 3))
expect('140 operators', counts(d, 'operators'), (27, 27, 24, 3, 3))
blocks = {f'attn_block_{i}': t for i, t in enumerate([(97, 89), (97, 80), (97, 74)])}
expect('140 blocks', {t[0]: t[1:] for t in tree(d) if '/' not in t[0]}, blocks)
bmm = {0: [(35, 50), (25, 25)], 1: [(35, 35), (25, 31)], 2: [(35, 35), (25, 25)]}
for i in range(3):
    expect(f'140 bmm of block {i}', sorted((t[1:] for t in tree(d)
                                           if t[0] == f'attn_block_{i}/aten::bmm'), reverse=True), bmm[i])
below = {t[0] for t in tree(d) if '/aten::bmm/' in t[0]}
expect('140 below bmm', [t for t in below if '>' in t or '<' in t], [])
expect('140 points', [(p['point'], p['ops_before'], p['ops_after'], us(p['before_ns']), us(p['after_ns']))
                      for p in sorted(d['diff_points'], key=lambda p: p['point'])],
       [(f'attn_block_{i}', 'aten::linear', 'aten::dropout', 27, 4) for i in range(3)])
called = {r['name']: (us(r['below_before_ns']), us(r['below_after_ns'])) for r in d['diff_ops']}
expect('140 with what they call', [called[n] for n in ('aten::bmm', 'aten::softmax', 'aten::linear',
                                                       'aten::dropout')],
       [(180, 201), (30, 30), (81, 0), (0, 12)])
check_mirror('140', a, b)
text = files(a, b)
expect('140 rows of the original', text['diff_stats.csv'].count('\n') - 1, 51)
block0 = text['merged_tree_output.txt'].split('├── attn_block_1')[0]
for line in ('├── combined: aten::bmm | aten::dropout', '├── combined: aten::softmax | aten::bmm',
             '├── combined: aten::bmm | aten::softmax', '└── combined: aten::linear | aten::bmm'):
    expect(f'140 text: {line}', f'│   {line}\n' in block0, True)

# 142: one more in front
a, b = pair('142_diff_insert_at_front')
d = ask(a, b)
expect('142 GPU', counts(d, 'gpu_time'), (4, 5, 4, 0, 1))
expect('142 operators', counts(d, 'operators'), (8, 10, 8, 0, 2))
expect('142 children', [t for t in tree(d) if t[0].count('/') == 1], [
    ('layer/<aten::linear', None, 7), ('layer/aten::linear', 30, 33), ('layer/aten::linear', 12, 12),
    ('layer/aten::linear', 14, 14), ('layer/aten::sdpa', 80, 80)])
expect('142 points', times(d['diff_points'], 'point'), {'layer': (0, 7, 7)})
check_mirror('142', a, b)
text = files(a, b)
expect('142 rows of the original', text['diff_stats.csv'].count('\n') - 1, 9)
linear = '''    ├── aten::linear
    │   └── aten::addmm
    │       └── cudaLaunchKernel
    │           └── %s_gemm
'''
expect('142 text', text['merged_tree_output.txt'],
       '└── layer\n' + linear % 'q' + linear % 'k' + linear % 'v' + '''    ├── aten::sdpa
    │   └── cudaLaunchKernel
    │       └── flash_fwd_kernel
    └── << trace2: aten::linear
        └── << trace2: aten::addmm
            └── << trace2: cudaLaunchKernel
                └── << trace2: lora_gemm
''')

own = files(a, b, 'optimal')
expect('142 rows, our matching', own['diff_stats.csv'].count('\n') - 1, 9)
expect('142 text, our matching', own['merged_tree_output.txt'], text['merged_tree_output.txt'])

# 144: the same program, moved in time, renumbered, its events in reverse
a, b = pair('144_diff_same_shifted')
d = ask(a, b)
expect('144 GPU', counts(d, 'gpu_time'), (9, 9, 9, 0, 0))
expect('144 operators', counts(d, 'operators'), (10, 10, 10, 0, 0))
expect('144 differences', [r for r in d['diff_tree'] if r['status'] != 'in place' or r['delta_ns']], [])
expect('144 points', d['diff_points'], [])
top = {r['what']: us(r['before_ns']) for r in d['diff_summary']}
expect('144 times', (top['gpu_time'], top['operators']), (138.75, 88))
check_mirror('144', a, b)
text = files(a, b)
expect('144 rows of the original', text['diff_stats.csv'].count('\n') - 1, 16)
expect('144 text', '└── cudaGraphLaunch\n' in text['merged_tree_output.txt'], True)
gate = subprocess.run([BINARY, 'diff', a, b, '-q', '--gate', 'gpu_time>0%', '--gate', 'kernels>0'],
                      capture_output=True)
expect('144 gate', gate.returncode, 0)

# 146: one root, three roots
a, b = pair('146_diff_one_root_three_roots')
d = ask(a, b)
expect('146 GPU', counts(d, 'gpu_time'), (2, 4, 2, 0, 2))
expect('146 operators', counts(d, 'operators'), (3, 5, 3, 0, 2))
expect('146 roots', [t for t in tree(d) if '/' not in t[0]],
       [('<aten::zeros', None, 3), ('model_forward', 46, 52), ('<aten::argmax', None, 5)])
expect('146 points', sorted((p['ops_after'], us(p['delta_ns'])) for p in d['diff_points']),
       [('aten::argmax', 5), ('aten::zeros', 3)])
check_mirror('146', a, b)
text = files(a, b)
expect('146 rows of the original', text['diff_stats.csv'].count('\n') - 1, 6)
expect('146 text', text['merged_tree_output.txt'].split('\n')[0],
       '├── combined: model_forward | aten::zeros')
gate = subprocess.run([BINARY, 'diff', a, b, '-q', '--gate', 'gpu_time>2%,50us', '--gate',
                       'op:model_forward>1ms', '--gate', 'kernels>1'], capture_output=True)
expect('146 gate', gate.returncode, 1)

print(f'{checks} figures, {wrong} wrong')
sys.exit(wrong != 0)
