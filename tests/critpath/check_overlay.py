#!/usr/bin/env python3
"""`critical-path --chrome`: a valid trace in which nothing of the original is lost.

Events are checked against the public description of the trace event format: what each phase
must have, numbers where numbers belong, colours of the reserved palette, flows that start
before they finish, within slices of their thread. Then our two arguments and our events are
taken out again: what is left must be the original.
"""
import collections
import gzip
import json
import pathlib
import subprocess
import sys
import tempfile

exe = sys.argv[1]
here = pathlib.Path(__file__).resolve().parent
shared = here.parent.parent.parent / 'shared' / 'traces'
PALETTE = set('''thread_state_uninterruptible thread_state_iowait thread_state_running
thread_state_runnable thread_state_sleeping thread_state_unknown background_memory_dump
light_memory_dump detailed_memory_dump vsync_highlight_color generic_work good bad terrible
black grey white yellow olive rail_response rail_animation rail_idle rail_load startup
heap_dump_stack_frame heap_dump_object_type heap_dump_child_node_arrow cq_build_running
cq_build_passed cq_build_failed cq_build_abandoned cq_build_attempt_runnig
cq_build_attempt_passed cq_build_attempt_failed'''.split())
failed = 0


def load(path):
    data = path.read_bytes()
    return json.loads(gzip.decompress(data) if data[:2] == b'\x1f\x8b' else data, strict=False)


def events_of(root):
    return root['traceEvents'] if isinstance(root, dict) else root


def expect(name, what, holds):
    global failed
    if not holds:
        failed += 1
        print(f'not ok - {name}: {what}')


def is_number(x):
    return isinstance(x, (int, float)) and not isinstance(x, bool)


def valid(e):
    """One event of ours by the rules of the format."""
    if not isinstance(e.get('name'), str) or not isinstance(e.get('ph'), str):
        return False
    if 'pid' not in e or 'tid' not in e or ('args' in e and not isinstance(e['args'], dict)):
        return False
    if e['ph'] == 'M':
        return e['name'] in ('process_name', 'process_sort_index', 'thread_name')
    if not is_number(e.get('ts')) or not isinstance(e.get('cat'), str):
        return False
    if e['ph'] == 'X':
        return is_number(e.get('dur')) and e['dur'] > 0 and e.get('cname') in PALETTE
    return e['ph'] in 'sf' and 'id' in e and (e['ph'] == 's' or e.get('bp') == 'e')


def ns(us):
    return round(us * 1000)


def check_slices(name, slices):
    at = None
    for e in slices:
        # A double of microseconds since 1970 is good to a quarter of one.
        if at is not None and abs(ns(e['ts']) - at) > 500:
            return expect(name, f'slices touch at {e["ts"]}', False)
        at = ns(e['ts']) + ns(e['dur'])


def check_flows(name, flows, originals):
    ends = collections.defaultdict(dict)
    for e in flows:
        expect(name, f'flow {e["id"]} has one {e["ph"]}', e['ph'] not in ends[e['id']])
        ends[e['id']][e['ph']] = e
    threads = collections.defaultdict(list)
    for e in originals:
        if e.get('ph') == 'X' and is_number(e.get('ts')) and is_number(e.get('dur')):
            threads[e.get('pid'), e.get('tid')].append((e['ts'], e['ts'] + e['dur']))
    for i, pair in ends.items():
        if set(pair) != {'s', 'f'}:
            return expect(name, f'flow {i} has both ends', False)
        expect(name, f'flow {i} goes forward', pair['s']['ts'] <= pair['f']['ts'] + 0.25)
        for e in list(pair.values())[:20]:
            if len(ends) < 500 and not any(a - 0.25 <= e['ts'] <= b + 0.25
                                           for a, b in threads[e['pid'], e['tid']]):
                return expect(name, f'flow {i} is bound to a slice', False)


def without_ours(e, lost):
    if isinstance(e, dict) and isinstance(e.get('args'), dict):
        args = dict(e['args'])
        lost['critical'] += args.pop('critical', 0)
        args.pop('slack_ns', None)
        e = dict(e, args=args)
    return json.dumps(e, sort_keys=True)


def check(name, path):
    before = failed
    with tempfile.TemporaryDirectory() as folder:
        out = pathlib.Path(folder) / 'overlay.json.gz'
        p = subprocess.run([exe, 'critical-path', str(path), '--chrome', str(out), '-f', 'json'],
                           capture_output=True, text=True)
        if p.returncode:
            return expect(name, p.stderr, False)
        overlay = load(out)
    answer = json.loads(p.stdout)
    original = [e for e in events_of(load(path)) if e]
    root = load(path)
    if isinstance(root, dict):
        for key in root:
            expect(name, f'root key {key}', key in overlay)
    events = overlay['traceEvents']
    kept, ours = events[:len(original)], events[len(original):]
    found = collections.Counter()
    for a, b in zip(original, kept):
        if isinstance(a, dict) and 'args' not in a and isinstance(b, dict) and 'args' in b:
            a = dict(a, args={})
        if without_ours(a, collections.Counter()) != without_ours(b, found):
            expect(name, f'an event has changed: {json.dumps(a)[:200]}', False)
            break
    expect(name, 'every event is there', len(kept) == len(original))
    expect(name, 'critical events are marked', found['critical'] > 0)
    expect(name, 'our events are valid', all(valid(e) for e in ours))
    slices = [e for e in ours if e['ph'] == 'X']
    expect(name, 'one slice per segment', len(slices) == len(answer['path']['rows']))
    check_slices(name, slices)
    check_flows(name, [e for e in ours if e['ph'] in 'sf'], original)
    if failed == before:
        print(f'ok - {name}: {len(original)} events, {len(slices)} slices')


for case in ('60_critical_path_sync.json', '119_rocm_no_sync_rows.json',
             '125_two_threads_join.json', '117_pdl_overlap_path.json'):
    check(case, here.parent / 'data' / 'cases' / case)
if shared.exists():
    for trace in ('hta/critical_path/alexnet/benchmark_result_2869224_1695835535_trace',
                  'tracelens/h100/Falconsai_nsfw_image_detection__1016002',
                  'tracelens/inference/vllm_decode_full/graph_execution',
                  'tracelens/mi300/resnet_act_checkpoint'):
        check(trace, shared / (trace + '.json.gz'))
sys.exit(failed > 0)
