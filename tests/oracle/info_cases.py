#!/usr/bin/env python3
"""info and check on the hand-made cases: what each of them says must come out.

usage: info_cases.py LONGPOLE

`info` holds numbers of table info (times in ns), `kinds` and `counters` rows of these tables; `check`
counts of rules, or (count, first byte) or (count, (from, to)) where the place matters; `exit` is
that of check. Every case is also read with its events shuffled: but for places nothing may change.
"""
import json, pathlib, random, subprocess, sys, tempfile

CASES = {
    '01_windows_backslash.json': dict(
        info=dict(slices=4, window_ns=100_000, window_start_ns=0), kinds=dict(python=3, cpu_op=1),
        check=dict(BAD_ESCAPE=(None, 92)), exit=1),
    '02_unescaped_quotes.json': dict(
        info=dict(window_ns=100_000, window_start_ns=0), kinds=dict(cpu_op=3),
        check=dict(UNESCAPED_QUOTE=(2, (188, 241))), exit=1),
    '04_invalid_utf8.json': dict(
        info=dict(slices=5, window_ns=84_000, window_start_ns=0),
        kinds=dict(python=2, cpu_op=2, kernel=1), check=dict(BAD_UTF8=(3, 87), LONE_SURROGATE=1),
        exit=1),
    '05_inf_nan.json': dict(kinds=dict(copy=4, counter=1),
                            check=dict(NON_FINITE_NUMBER=(6, 260)), exit=1),
    '06_bare_NA.json': dict(kinds=dict(kernel=2), check=dict(BARE_TOKEN=(3, 173)), exit=1),
    '08a_array_unclosed.json': dict(kinds=dict(kernel=3), exit=0),
    **{f'08{x}.json': dict(kinds=dict(kernel=3), check=dict(TRUNCATED=(1, 452)), exit=1)
       for x in ('b_cut_in_args', 'c_cut_in_string', 'd_cut_in_number')},
    '08e_missing_last_brace.json': dict(kinds=dict(kernel=3), check=dict(TRUNCATED=1), exit=1),
    '09_trailing_commas.json': dict(check=dict(EXTRA_COMMA=7), exit=1),
    '10_leading_comma.json': dict(
        info=dict(slices=1, window_start_ns=10_500, window_end_ns=20_750),
        check=dict(EXTRA_COMMA=(1, 1), UNCLOSED_ARRAY=1), exit=1),
    '11_empty_event.json': dict(info=dict(slices=1, window_ns=15_537_780),
                                check=dict(EMPTY_EVENT=2), exit=0),
    '12_missing_quote.json': dict(info=dict(slices=2), kinds=dict(flow=1),
                                  check=dict(SYNTAX=(1, (225, 343))), exit=1),
    '14b_truncated.json.gz': dict(kinds=dict(kernel=3), check=dict(GZIP_TRUNCATED=1), exit=1),
    '14c_bad_crc.json.gz': dict(kinds=dict(kernel=5), check=dict(GZIP_CRC=1), exit=1),
    **{f'14{x}': dict(kinds=dict(kernel=5), exit=0)
       for x in ('a_multi_member.json.gz', 'd_gzip_named_json.json', 'e_plain_named_gz.json.gz',
                 'f_zero_padding.json.gz', 'g_utf8_bom.json')},
    '15_big_integers.json': dict(info=dict(slices=8, streams=2), exit=0),
    '17a_metadata_only.json': dict(info=dict(slices=0), exit=0, says='No duration events'),
    **{f'17{x}.json': dict(info=dict(slices=0), check=dict(NO_EVENTS=1), exit=0)
       for x in ('b_empty_array', 'c_empty_object', 'f_null_events')},
    '17d_zero_bytes.json': dict(exit=2), '17e_blank.json': dict(exit=2),
    '17g_not_a_trace.json': dict(exit=2),
    '17h_cpu_only.json': dict(info=dict(slices=2, devices=0), kinds=dict(cpu_op=2), exit=0),
    '19_ts_zero_kernels.json': dict(
        info=dict(window_ns=100_000, window_start_ns=1615207264500000000, gpu_events=4),
        counters=dict(INVALID_TIME=2), exit=0),
    '21_kernel_before_launch.json': dict(
        info=dict(window_start_ns=1_000_000, window_end_ns=1_100_000),
        counters=dict(INVALID_TIME=1), check=dict(KERNEL_BEFORE_LAUNCH=2), exit=0),
    '22_stream_overflow_durations.json': dict(
        info=dict(window_ns=100_000), check=dict(IMPOSSIBLE_DUR=1), exit=0),
    '24_ns_precision.json': dict(info=dict(window_start_ns=1711111111111111100,
                                           window_end_ns=1711111111111113001, window_ns=1901)),
    '26_child_outlives_parent.json': dict(
        info=dict(window_ns=140_000), kinds=dict(cpu_op=4), counters=dict(PARTIAL_OVERLAP=1)),
    '28_sub_ns_jitter.json': dict(
        info=dict(window_start_ns=10_123, window_end_ns=51_000), kinds=dict(cpu_op=5),
        without=['PARTIAL_OVERLAP'], exit=0),
    '29_pdl_overlap.json': dict(check=dict(SAME_STREAM_OVERLAP=1), without=['IMPOSSIBLE_DUR'],
                                exit=0),
    '31_zero_duration_gpu.json': dict(kinds=dict(kernel=5, set=1), info=dict(streams=2), exit=0),
    '32_correlation_zero.json': dict(kinds=dict(kernel=1, collective=2),
                                     check=dict(UNLINKED_GPU=2), exit=0),
    '33_external_id_only.json': dict(info=dict(devices=1, streams=1), without=['UNLINKED_GPU'],
                                     exit=0),
    '34_cuda_graph_shared_correlation.json': dict(
        without=['UNLINKED_GPU', 'GRAPH_INCOMPLETE'], exit=0),
    '36_launch_api_names.json': dict(kinds=dict(kernel=9, runtime=10), without=['UNLINKED_GPU'],
                                     exit=0),
    '41_stream0_and_sync_minus1.json': dict(
        info=dict(streams=1), kinds=dict(kernel=1, sync=1, gpu_annotation=1), exit=0),
    '42_backward_same_thread.json': dict(without=['DOUBLE_BACKWARD'], exit=0),
    '49_begin_end_mismatch.json': dict(
        info=dict(slices=5, window_start_ns=0, window_end_ns=70_000),
        check=dict(UNMATCHED_END=3, UNCLOSED=2, NAME_MISMATCH=1), exit=0),
    '52_async_events.json': dict(
        info=dict(slices=0, async_spans=4, async_unfinished=1), exit=0),
    '53_memory_events.json': dict(kinds=dict(cpu_op=2, memory=5, counter=1), exit=0),
    '59_busy_breakdown.json': dict(info=dict(window_ns=160_000),
                                   check=dict(COMM_NO_ARGS=2), exit=0),
    '63_legacy_autograd.json': dict(kinds=dict(cpu_op=2, kernel=1), without=['UNLINKED_GPU'],
                                    exit=0),
    '111_device_sync_two_streams.json': dict(
        kinds=dict(sync=1), without=['EARLY_SYNC', 'BAD_EVENT_SYNC', 'BAD_STREAM_WAIT'], exit=0),
}

JOB = '44_no_rank'
JOB_ROWS = [('with_info.json', 0, 'distributedInfo', 40_000),
            ('rank-1.Jul_15.pt.trace.json', 1, 'file name', 20_000),
            ('id-TP-2-DP-0-PP-0-EP-0.trace.json', 2, 'file name (TP-2)', 30_000),
            ('host_3.1234.pt.trace.json', 3, 'assigned', 10_000),
            ('graph_capture_rank_0.99.pt.trace.json', None, 'capture', 50_000),
            ('notes.txt', None, 'skipped', None)]

longpole = sys.argv[1]
data = pathlib.Path(__file__).resolve().parent.parent / 'data' / 'cases'
bad = 0


def fail(case, text):
    global bad
    bad += 1
    print(f'{case}: {text}')


def run(*args):
    p = subprocess.run([longpole, *map(str, args)], capture_output=True, text=True)
    return p.returncode, p.stdout, p.stderr


def tables(text):
    return {name: [dict(zip(t['columns'], row)) for row in t['rows']]
            for name, t in json.loads(text).items()}


def facts(info):
    return {r['what']: r['number'] for r in info['info'] if r['number'] is not None}


def compare(case, what, want, got):
    for key, value in want.items():
        if got.get(key) != value:
            fail(case, f'{what}: {key} should be {value}, is {got.get(key)}')


def compare_rules(case, want, rows):
    for code, value in want.items():
        count, place = value if isinstance(value, tuple) else (value, None)
        row = rows.get(code)
        if not row or (count is not None and row['count'] != count):
            fail(case, f'check: {code} should be {count} times, is {row and row["count"]}')
        elif isinstance(place, tuple) and not place[0] <= row['byte'] <= place[1]:
            fail(case, f'check: {code} first at {row["byte"]}, not in {place}')
        elif isinstance(place, int) and row['byte'] != place:
            fail(case, f'check: {code} first at {row["byte"]}, not {place}')


def test(case, want):
    code, out, err = run('check', '-f', 'json', data / case)
    if 'exit' in want and code != want['exit']:
        fail(case, f'check: exit {code} instead of {want["exit"]}')
    if code == 2:
        if err.count('\n') != 1 or run('info', data / case)[0] != 2:
            fail(case, f'should be refused in one line: {err!r}')
        return
    rows = {r['code']: r for r in tables(out)['check'] if r['severity'] != 'lacks'}
    compare_rules(case, want.get('check', {}), rows)
    for name in want.get('without', []):
        if name in rows:
            fail(case, f'check: {name} should not be there')
    code, out, err = run('info', '-f', 'json', data / case)
    if code:
        fail(case, f'info: exit {code}: {err}')
        return
    info = tables(out)
    compare(case, 'info', want.get('info', {}), facts(info))
    compare(case, 'kinds', want.get('kinds', {}), {r['kind']: r['events'] for r in info['kinds']})
    compare(case, 'counters', want.get('counters', {}),
            {r['code']: r['count'] for r in info.get('counters', [])})
    if 'says' in want and want['says'] not in run('info', data / case)[1]:
        fail(case, f'info should say: {want["says"]}')


def without_places(text):
    t = tables(text)
    for row in t.get('check', []) + t.get('counters', []):
        row['line'] = row['byte'] = None
    for row in t.get('info', []):
        if row['what'] in ('file', 'packed_bytes', 'json_bytes'):
            row['value'] = row['number'] = None
    return t


def alike(events):  # equal lane, start and length: their order in the file counts
    keys = [tuple(str(e.get(k)) for k in ('pid', 'tid', 'ts', 'dur')) for e in events]
    return len(set(keys)) < len(keys)


def shuffle(case, folder):
    try:
        doc = json.loads((data / case).read_text())
    except (ValueError, IsADirectoryError):
        return False
    events = doc.get('traceEvents') if isinstance(doc, dict) else doc
    if not events or not all(events) or alike(events):
        return False
    paths = folder / 'in_order.json', folder / 'shuffled.json'
    for n, path in enumerate(paths):
        if n:
            random.Random(case).shuffle(events)
        path.write_text(json.dumps(doc))
    for command in 'info', 'check':
        a, b = (without_places(run(command, '-f', 'json', p)[1]) for p in paths)
        if a != b:
            fail(case, f'{command}: the order of events matters')
    return True


def test_job():
    code, out, err = run('info', '-f', 'json', data / JOB)
    rows = tables(out)['ranks']
    got = [(r['file'], r['rank'], r['from'], r['gpu_busy_ns']) for r in rows]
    for want, row in zip(JOB_ROWS, got + [('nothing', None, '', None)]):
        if (want[0], want[1], want[3]) != (row[0], row[1], row[3]) or not row[2].startswith(want[2]):
            fail(JOB, f'{want} should be there, is {row}')
    if code or len(got) != len(JOB_ROWS) or 'rank 3 is assigned' not in err:
        fail(JOB, f'exit {code}, {len(got)} rows, {err!r}')


for case, want in CASES.items():
    test(case, want)
test_job()
with tempfile.TemporaryDirectory() as folder:
    shuffled = sum(shuffle(case, pathlib.Path(folder)) for case in CASES)
if shuffled < 20:
    fail('shuffling', f'only {shuffled} cases could be shuffled')
print(f'{len(CASES) + 1} cases, {shuffled} of them shuffled too, {bad} differences')
sys.exit(bad > 0)
