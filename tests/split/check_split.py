#!/usr/bin/env python3
"""Splits traces and holds the slices to the laws of splitting.

    check_split.py LONGPOLE CASES.json TRACE...

Laws, for every trace: each event is in exactly one slice, byte for byte in its arguments;
metadata is in all; frames are cut where their slice ends and each copy is marked; GPU
events are conserved, as the manifest says; a slice of a named iteration splits into itself.
CASES.json maps file names to what the manifest and the slices must say.
"""
import collections, gzip, json, pathlib, subprocess, sys, tempfile

GPU = {'kernel', 'gpu_memcpy', 'gpu_memset'}
bin_, cases_path, *paths = sys.argv[1:]
cases = json.loads(pathlib.Path(cases_path).read_text())
bad = 0


def fail(path, text):
    global bad
    bad += 1
    print(f'not ok - {path}: {text}')


def read(path):
    raw = pathlib.Path(path).read_bytes()
    if raw[:2] == b'\x1f\x8b':
        raw = gzip.decompress(raw)
    doc = json.loads(raw)
    return (doc, doc['traceEvents']) if isinstance(doc, dict) else ({}, doc)


def original(e):
    """The event as it was before it was cut."""
    clip = e.get('longpole_clipped')
    if clip is None:
        return e
    e = dict(e, ts=clip['ts'], dur=clip['dur'])
    del e['longpole_clipped']
    return e


def key(e):
    return json.dumps(e, sort_keys=True)


def check_laws(path, dir_, manifest):
    doc, events = read(path)
    events = [e for e in events if isinstance(e, dict) and e]
    want = collections.Counter(key(e) for e in events if e.get('ph') != 'M')
    meta = collections.Counter(key(e) for e in events if e.get('ph') == 'M')
    got, frames, gpu, rest = collections.Counter(), set(), 0, {k: v for k, v in doc.items() if k != 'traceEvents'}
    for f in sorted(dir_.glob('*.json.gz')):
        sdoc, sevents = read(f)
        if {k: v for k, v in sdoc.items() if k != 'traceEvents'} != rest:
            fail(path, f'{f.name}: other root keys than the trace')
        if collections.Counter(key(e) for e in sevents if e.get('ph') == 'M') != meta:
            fail(path, f'{f.name}: other metadata than the trace')
        for e in sevents:
            if e.get('ph') == 'M':
                continue
            k = key(original(e))
            if 'longpole_clipped' in e:
                frames.add(k)
                if float(e['dur']) < 0 or float(e['dur']) > float(e['longpole_clipped']['dur']):
                    fail(path, f'{f.name}: a cut frame is longer than the whole: {e}')
                continue
            got[k] += 1
            gpu += e.get('cat') in GPU
    for k in frames:
        got[k] = want[k] if k in want else 1  # cut and copied: counts as the one it was
    if got != want:
        lost, extra = want - got, got - want
        fail(path, f'{sum(lost.values())} events lost, {sum(extra.values())} twice or made up; '
                   f'first: {next(iter(lost or extra))[:200]}')
    in_trace = sum(e.get('cat') in GPU for e in events)
    if in_trace and (gpu != in_trace or manifest['n_gpu_events_extracted'] != in_trace
                     or manifest['gpu_event_retention'] != 1.0):
        fail(path, f'{in_trace} GPU events in the trace, {gpu} in the slices, manifest {manifest}')


def split(path, out, *options):
    p = subprocess.run([bin_, 'split', str(path), '-o', str(out), '-f', 'json', *options],
                       stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    if p.returncode not in (0, 1):
        fail(path, f'exit {p.returncode}: {p.stderr.decode()}')
        return None, None
    return json.loads((out / 'split_manifest.json').read_text()), json.loads(p.stdout)


def ops(path):
    """Kernels and their time per operator."""
    out = subprocess.run([bin_, 'ops', str(path), '--by', 'name', '-f', 'json'], stdout=subprocess.PIPE,
                         stderr=subprocess.DEVNULL, check=True).stdout
    t = json.loads(out)['ops']
    at = [t['columns'].index(c) for c in ('name', 'kernels', 'kernel_time_ns')]
    return {r[at[0]]: (r[at[1]], r[at[2]]) for r in t['rows']}


def check_ops(path, dir_):
    total = collections.Counter(), collections.Counter()
    for f in dir_.glob('*.json.gz'):
        for name, (n, time) in ops(f).items():
            total[0][name] += n
            total[1][name] += time
    have = {name: (total[0][name], total[1][name]) for name in total[0]}
    want = ops(path)
    if have != want:
        name = next(n for n in sorted(set(have) | set(want)) if have.get(n) != want.get(n))
        fail(path, f'ops of the slices do not add up: {name}: {have.get(name)}, not {want.get(name)}')


def check_case(path, case, manifest, tables):
    for k, v in case['manifest'].items():
        if manifest.get(k) != v:
            fail(path, f'{k}: {manifest.get(k)!r}, not {v!r}')
    t = tables['slices']
    rows = [dict(zip(t['columns'], r)) for r in t['rows']]
    for want in case.get('slices', []):
        have = [r for r in rows if (r['slice'] if r['slice'] is not None else r['name']) == want['slice']]
        for k, v in want.items() if have else [('slice', want['slice'])]:
            if k == 'slice' and have:
                continue
            if not have or have[0][k] != v:
                fail(path, f'slice {want["slice"]}: {k} is {have and have[0][k]!r}, not {v!r}')


for path in map(pathlib.Path, paths):
    with tempfile.TemporaryDirectory() as tmp:
        out = pathlib.Path(tmp, 'out')
        case = cases.get(path.name, {})
        manifest, tables = split(path, out, '--allow-degraded', *case.get('options', []))
        if manifest is None:
            continue
        if case:
            check_case(path, case, manifest, tables)
        if manifest.get('aborted'):
            if list(out.glob('*.json.gz')):
                fail(path, 'aborted, but slices were written')
        else:
            check_laws(path, out, manifest)
            check_ops(path, out)
            if manifest['method'].startswith('annotation:') and manifest['method'] != 'annotation:widened':
                one = sorted(out.glob('*_iteration_*.json.gz'))[0]
                again, _ = split(one, pathlib.Path(tmp, 'again'), '--allow-degraded',
                                 *case.get('options', []))
                if again and (again['n_roots'] != 1 or again['method'] != manifest['method']):
                    fail(one, f'splits into {again["n_roots"]} by {again["method"]}, not into itself')
        print(f'checked - {path.name}: {manifest["n_roots"]} by {manifest["method"]}')
print(f'{len(paths) - bad if bad < len(paths) else 0} passed, {bad} failed')
sys.exit(bad > 0)
