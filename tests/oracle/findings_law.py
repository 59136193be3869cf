#!/usr/bin/env python3
"""Findings against the tables they were made from, on our cases, made-up traces and real ones.

Each time is the cell (or the sum of cells) that its rule names; each share is above its threshold;
the order is by time; percentages are of the window. The overview says the same, and so do text and
Markdown. On small traces each command is run.

    tests/oracle/findings_law.py LONGPOLE SYNTH DATA SHARED
"""
import collections, json, math, os, pathlib, re, shlex, subprocess, sys, tempfile

longpole, synth, data, shared = sys.argv[1:5]
VIEWS = {'overview', 'breakdown', 'steps', 'timeline', 'path', 'whatif', 'ops', 'kernels', 'idle', 'tree', 'roofline'}
PARTS = {'shapes', 'python', 'waits', 'memory'}
BIG = re.compile(r'^"(?:path|slack|idle_gaps)":.*(?:\n\[.*)*\n', re.M)  # of no rule, and most of the text
LEAST = dict(no_time=0, no_gpu=0, no_host=0, one_event=0, bound=50, what_if_group=5, holder=5, what_if=2, idle=5,
             exposed_communication=2, exposed_copies=2, pageable=1, op=10, roofline=5, short_kernels=50, unlinked=1,
             steps=5)
LEAST['class'] = 10
ORDER = ['no_time', 'no_gpu', 'no_host', 'one_event', 'bound', 'class', 'holder', 'what_if_group', 'what_if', 'idle',
         'exposed_communication', 'exposed_copies', 'pageable', 'op', 'roofline', 'short_kernels', 'unlinked', 'steps']


def run(*args):
    env = dict(os.environ, LC_ALL='C.UTF-8', NO_COLOR='1', COLUMNS='100')
    p = subprocess.run([longpole, *map(str, args)], stdout=subprocess.PIPE, stderr=subprocess.PIPE, env=env)
    return p.returncode, p.stdout.decode(), p.stderr.decode()


def tables(path, *command):
    code, out, err = run(*command, path, '-f', 'json')
    if code == 2:
        return None
    assert 'nan' not in out.lower().split('"')[0] and code == 0, (path, code, err)
    out = BIG.sub('', out).rstrip() if command != ('critical-path',) else out
    out = out[:-1] + '}' if out.endswith(',') else out
    return {name: [dict(zip(t['columns'], row)) for row in t['rows']]
            for name, t in json.loads(out, parse_constant=lambda c: 1 / 0).items()}


def total(rows, column, **where):
    return sum(r[column] for r in rows if r[column] is not None and all(r[k] == v for k, v in where.items()))


class Expected:
    """What each rule should say, worked out from the tables alone: (time, share) or None."""

    def __init__(self, path, t):
        self.path, self.t = path, t
        self.window = t['window'][0]['window_ns']
        self.gpu_events = next(r['number'] for r in t['info'] if r['what'] == 'gpu_events')
        self.hosts = [r for r in t.get('lanes', []) if not r['gpu']]

    def of_window(self, time):
        return time, 100 * time / self.window if self.window else 0

    def what_if(self, target, column):
        return next((r[column] for r in self.t['what_if'] if r['target'] == target and r['factor'] == '2x'), None)

    def device(self, what):
        devices = [r for r in self.t['timeline'] if r['what'] == what and r['device'] != 'all']
        top = max(devices, key=lambda r: r['time_ns'], default=None)
        return (top['time_ns'], top['percent']) if top and top['time_ns'] else None

    def no_time(self):
        return (0, 0) if not self.window else None

    def no_gpu(self):
        return (self.window, 0) if self.window and not self.gpu_events else None

    def no_host(self):
        return (self.window, 0) if self.window and self.gpu_events and not self.hosts else None

    def one_event(self):
        return (self.window, 0) if self.window and total(self.t.get('lanes', []), 'events') == 1 else None

    def bound(self):
        most = max(self.what_if('cpu', 'on_path_ns') or 0, self.what_if('gpu', 'on_path_ns') or 0)
        return self.of_window(most) if self.gpu_events else None

    def told_by_class(self, top):
        """Its class is all of it and not computation: one finding has both."""
        held = lambda c: {r['name'] for r in tables(self.path, 'critical-path')['path'] if r['class'] == c}
        return any(r['class'] != 'compute' and r['time_ns'] == top['on_path_ns'] and held(r['class']) == {top['name']}
                   for r in self.t['path_summary'])

    def holder(self):
        top = max(self.t['path_events'], key=lambda r: r['on_path_ns'], default=None)
        return self.of_window(top['on_path_ns']) if top and top['on_path_ns'] and not self.told_by_class(top) else None

    def what_if_group(self):
        gains = self.what_if('cpu', 'gain_ns'), self.what_if('gpu', 'gain_ns')
        return None if None in gains else self.of_window(max(gains))

    def names_twice_as_fast(self):
        classes = {r['class'] for r in self.t['path_summary']} | {'cpu', 'gpu'}
        return [r['gain_ns'] for r in self.t['what_if'] if r['factor'] == '2x' and r['target'] not in classes]

    def idle(self):
        return self.device('idle')

    def exposed_communication(self):
        return self.device('exposed_communication')

    def exposed_copies(self):
        return self.device('exposed_copies')

    def pageable(self):
        copies = [r['total_ns'] for r in self.t['kernels'] if r['kind'] == 'copy' and 'Pageable' in r['name']]
        every = total(self.t['kernels'], 'total_ns')
        return (sum(copies), 100 * sum(copies) / every) if copies and every else None

    def op(self):
        every = total(self.t['ops'], 'kernel_time_ns')
        top = max((r['kernel_time_ns'] for r in self.t['ops'] if r['category'] != 'unlinked'), default=None)
        return (top, 100 * top / every) if every and top is not None else None

    def roofline(self):
        above = total(self.t.get('roofline', []), 'above_roofline_ns')
        return (above, 100 * above / total(self.t['ops'], 'kernel_time_ns')) if above else None

    def short_kernels(self):
        rows = self.t['kernels']
        every = total(rows, 'count', kind='kernel') + total(rows, 'count', kind='collective')
        return (total(rows, 'short_ns'), 100 * total(rows, 'short_count') / every) if every >= 100 else None

    def unlinked(self):
        n = total(self.t['ops'], 'kernels', category='unlinked')
        return (total(self.t['ops'], 'kernel_time_ns', category='unlinked'),
                100 * n / total(self.t['ops'], 'kernels')) if n else None

    def steps(self):
        took = [r['host_time_ns'] for r in self.t.get('steps', [])] or \
               [r['window_ns'] for r in self.t.get('steps_path', [])]
        return (max(took) - min(took), 100 * (max(took) - min(took)) / min(took)) if len(took) > 1 and min(took) else None


def check_findings(path, t):
    e, got = Expected(path, t), t['findings']
    want = []
    for rule in ORDER:
        if rule == 'class':
            cells = [(rule, *e.of_window(r['time_ns'])) for r in t['path_summary'] if r['class'] != 'compute']
        elif rule == 'what_if':
            cells = [(rule, *e.of_window(gain)) for gain in e.names_twice_as_fast()[:1]]
        else:
            cells = [(rule, *found)] if (found := getattr(e, rule)()) else []
        want += [(rule, time) for rule, time, share in cells if share >= LEAST[rule]]
    want.sort(key=lambda x: -x[1])
    have = [(f['rule'], f['time_ns']) for f in got]
    assert have == want, (path, have, want)
    assert [f['time_ns'] for f in got] == sorted((f['time_ns'] for f in got), reverse=True), path
    for f in got:
        if f['rule'] != 'no_time' and f['time_ns'] <= e.window and e.window:
            assert math.isclose(f['percent'], 100 * f['time_ns'] / e.window), (path, f)
            assert 0 <= f['percent'] <= 100
        else:
            assert f['percent'] is None, (path, f)
        assert f['saving'] == f['rule'].startswith('what_if') and f['view'] in VIEWS, (path, f)
        assert f['sentence'].endswith('.') and not any(w in f['sentence'] for w in ('(null)', 'nan', 'n/a')), f
    assert got or (e.window and not e.no_gpu()), path


def check_trust(path, t):
    for r in t['trust']:
        assert r['level'] in ('ok', 'note', 'warn') and r['what'] and r['value'] and r['sentence'], (path, r)
        if r['what'] in ('critical path', 'GPU time', 'idle time'):
            assert r['value'] == 'exact', (path, r)
    for r in t['missing']:
        assert r['view'] in VIEWS | PARTS and r['reason'], (path, r)


def squeezed(text):
    return ''.join(text.split())


def check_words(path, t):
    """All formats have the same sentences."""
    text, md = run('report', path)[1], run('report', path, '-f', 'md')[1]
    for f in t['findings']:
        assert squeezed(f['sentence']) in squeezed(text), (path, f)
        assert squeezed(f['sentence']) in squeezed(re.sub(r'\\(.)', r'\1', md)), (path, f)
    over = tables(path)
    assert all(over[name] == t[name] for name in ('findings', 'trust', 'missing')), path


ran = collections.Counter()


def check_commands(path, t):
    """Of each rule the first few: a command differs by its file only."""
    for f in t['findings']:
        ran[f['rule']] += 1
        if ran[f['rule']] > 5:
            continue
        words = shlex.split(f['command'])
        assert words[0] == 'longpole', f
        code, _, err = run(*words[1:])
        assert code in (0, 1), (f['command'], err)


def check(path, small):
    t = tables(path, 'report')
    if t is None:
        return 0
    check_findings(path, t)
    check_trust(path, t)
    if small:
        check_words(path, t)
        check_commands(path, t)
    return len(t['findings'])


n = found = 0
for path in sorted(pathlib.Path(data, 'cases').glob('*.json')):
    found += check(path, True)
    n += 1
with tempfile.TemporaryDirectory() as folder:
    for options in ('--size 100k --python', '--steps 3 --layers 2 --rocm --no-shapes', '--steps 2 --layers 2 --unlinked 9'):
        path = pathlib.Path(folder, 'made up.json.gz')
        subprocess.run([synth, *options.split(), '-o', path], check=True, stdout=subprocess.DEVNULL)
        found += check(path, True)
        n += 1
print(f'{n} small traces, {found} findings')
real = [p for p in sorted(pathlib.Path(shared, 'traces').rglob('*')) if p.suffix in ('.json', '.gz')]
print('skipped: no traces in ../shared' if not real else f'{sum(check(p, False) for p in real)} findings on {len(real)} files')
