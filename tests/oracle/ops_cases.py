#!/usr/bin/env python3
"""timeline, kernels and ops on the hand-made cases: figures worked out with each of them, in us.

usage: ops_cases.py LONGPOLE

A row is (name, kernels, us) and must be there; a name that ends in * is a beginning of one. 'only'
says that there is no other row, 'events' and 'time' what all rows add up to, 'unlinked' how many of
the events have no launch.
"""
import json, pathlib, re, subprocess, sys

NOTHING = dict(timeline='', kernels=dict(events=0), ops=dict(events=0))


def alone(events, time, **more):  # every event in a row of category unlinked
    return dict(events=events, time=time, unlinked=events, **more)


def rows(*rows, **more):
    return dict(rows=rows, **more)


def truncated(n):
    return dict(timeline=f'computation {10 * n}, busy {10 * n}, idle {10 * (n - 1)}, '
                         f'total {20 * n - 10}',
                kernels=rows(*[(f'k{i + 1}', 1, 10) for i in range(n)], only=True),
                ops=alone(n, 10 * n))


CASES = {
    '01_windows_backslash.json': NOTHING,
    '02_unescaped_quotes.json': NOTHING,
    '04_invalid_utf8.json': dict(
        timeline='computation 12, busy 12, total 12, idle 0', ops=alone(1, 12)),
    '05_inf_nan.json': dict(
        timeline='computation 0, exposed copies 16, busy 16, idle 25, total 41',
        kernels=rows(('Memcpy HtoD*', 2, 10), ('Memcpy DtoH*', 1, 5), ('Memcpy DtoD*', 1, 1)),
        ops=alone(4, 16)),
    '06_bare_NA.json': dict(
        timeline='computation 30, busy 30, idle 10, total 40',
        kernels=rows(('k1', 1, 10), ('k2 N/A ok', 1, 20)), ops=alone(2, 30)),
    **{f'08{x}.json': truncated(3) for x in ('a_array_unclosed', 'b_cut_in_args', 'c_cut_in_string',
                                             'd_cut_in_number', 'e_missing_last_brace')},
    '09_trailing_commas.json': dict(
        timeline='computation 20, busy 20, idle 10, total 30',
        kernels=rows(('k1', 1, 10), ('k2', 1, 10)), ops=alone(2, 20)),
    '10_leading_comma.json': NOTHING,
    **{f'14{x}': truncated(5) for x in ('a_multi_member.json.gz', 'c_bad_crc.json.gz',
                                        'd_gzip_named_json.json', 'e_plain_named_gz.json.gz',
                                        'f_zero_padding.json.gz', 'g_utf8_bom.json')},
    '14b_truncated.json.gz': truncated(3),
    '12_missing_quote.json': dict(
        timeline='computation 134.175, busy 134.175, idle 0, total 134.175',
        ops=dict(events=1, time=134.175, nrows=1)),
    '15_big_integers.json': dict(
        timeline='computation 12, busy 12, idle 5, total 17',
        ops=rows(('opA', 1, 5), ('opB', 1, 7))),
    '17a_metadata_only.json': NOTHING,
    '17b_empty_array.json': NOTHING,
    '17c_empty_object.json': NOTHING,
    '17f_null_events.json': NOTHING,
    '17h_cpu_only.json': NOTHING,
    '19_ts_zero_kernels.json': dict(
        timeline='computation 30, busy 30, idle 10, total 40',
        kernels=rows(('sgemm*', 2, 10), ('relu*', 2, 20), only=True),
        ops=rows(('conv', 4, 30), only=True)),
    '21_kernel_before_launch.json': dict(
        timeline='computation 20, busy 20, idle 22, total 42', ops=rows(('a', 3, 20), only=True)),
    '22_stream_overflow_durations.json': dict(
        timeline='computation 100, exposed copies 0, busy 100, idle 0, total 100, copies 5',
        kernels=rows(('gemm', 2, 40), ('attn', 1, 20), ('elementwise', 1, 15), ('copy', 1, 5),
                     ('other_stream', 1, 90)),
        ops=alone(6, 170)),
    '24_ns_precision.json': dict(
        timeline='computation 0.881, busy 0.881, idle 0.001, total 0.882',
        kernels=rows(('A', 1, 0.877), ('B', 1, 0.003), ('C', 1, 0.001)), ops=alone(3, 0.881)),
    '26_child_outlives_parent.json': NOTHING,
    '29_pdl_overlap.json': dict(
        timeline='computation 30, busy 30, idle 15, total 45',
        kernels=rows(('primary', 1, 15), ('secondary', 1, 15), ('tail', 1, 5)), ops=alone(3, 35)),
    '31_zero_duration_gpu.json': dict(
        timeline='computation 25, busy 25, idle 15, total 40',
        kernels=rows(('k1', 1, 10), ('k2', 1, 0), ('k3', 1, 10), ('Memset*', 1, 0), ('k4', 1, 5),
                     ('k5', 1, 0), only=True),
        ops=alone(6, 25)),
    '32_correlation_zero.json': {
        'timeline': 'computation 10, exposed comm 60, busy 70, idle 6, total 76',
        'kernels': rows(('ncclDevKernel_Generic*', 2, 60), ('Cijk_Ailk_Bljk*', 1, 10)),
        'ops': rows(('aten::mm', 1, 10), events=3, time=70, unlinked=2),
        'ops --no-comm': rows(('aten::mm', 1, 10), only=True)},
    '33_external_id_only.json': dict(
        timeline='computation 8, exposed copies 12, busy 20, idle 30, total 50',
        ops=rows(('aten::copy_', 1, 12), ('aten::add', 1, 8), only=True)),
    '34_cuda_graph_shared_correlation.json': dict(
        timeline='computation 80, busy 80, idle 85, total 165',
        kernels=rows(('gemm', 4, 70), ('gelu', 2, 10)),
        ops=rows(('graph_replay', 6, 80), only=True)),
    '36_launch_api_names.json': dict(
        timeline='computation 90, busy 90, idle 740, total 830',
        ops=rows(*[(f'op{i}', 1, 10) for i in range(8)], ('both', 1, 10), only=True)),
    '38_comm_external_id.json': {
        'timeline': 'computation 0, exposed comm 100, busy 100, idle 0, total 100',
        'ops': rows(('nccl:_all_gather_base', 1, 100), only=True),
        'ops --no-comm': dict(events=0)},
    '41_stream0_and_sync_minus1.json': dict(
        timeline='computation 30, busy 30, idle 0, total 30',
        kernels=rows(('k0', 1, 30)), ops=rows(('a', 1, 30), only=True)),
    '42_backward_same_thread.json': dict(
        timeline='computation 50, busy 50, idle 95, total 145',
        ops=rows(('GroupedGemm', 1, 15), ('GroupedGemmBackward', 1, 35), only=True)),
    '43_leaf_ops_and_orphans.json': dict(
        timeline='computation 150, busy 150, idle 270, total 420',
        ops=rows(('cpu_op_B', 1, 10), ('cpu_op_C', 1, 20),
                 ('cpu_op_A->kernel_A (Synthetic Op)', 1, 30),
                 ('hipLaunchKernel->kernel_O (Synthetic Op)', 1, 40),
                 ('cudaLaunchKernel->kernel_P (Synthetic Op)', 1, 50), only=True)),
    '48_two_ranks/rank0.json': {
        'timeline': 'computation 30, exposed comm 200, busy 230, idle 10, total 240',
        'ops': dict(events=2, unlinked=2), 'ops --no-comm': rows(('gemm*', 1, 30), only=True)},
    '48_two_ranks/rank1.json': {
        'timeline': 'computation 30, exposed comm 80, busy 110, idle 10, total 120',
        'ops': dict(events=2, unlinked=2), 'ops --no-comm': rows(('gemm*', 1, 30), only=True)},
    '49_begin_end_mismatch.json': NOTHING,
    '52_async_events.json': NOTHING,
    '53_memory_events.json': NOTHING,
    '56_sglang_steps.json': dict(
        timeline='computation 111, busy 111, idle 90, total 201', kernels=rows(('k', 4, 111)),
        ops=rows(('hipGraphLaunch->k (Synthetic Op)', 4, 111), only=True)),
    '58_repeating_children_no_annotation.json': dict(
        timeline='computation 600, busy 600, idle 330, total 930',
        ops=rows(('aten::randn', 1, 10), ('aten::sdpa', 4, 400), ('aten::mm', 4, 160),
                 ('aten::conv2d', 1, 30), only=True)),
    '59_busy_breakdown.json': {
        'timeline': 'computation 70, exposed comm 50, exposed copies 10, busy 130, idle 30, '
                    'total 160, comm 80, copies 20',
        'kernels': rows(('gemm', 2, 50), ('elementwise', 1, 20), ('ncclDevKernel_AllReduce*', 1, 50),
                        ('ncclDevKernel_SendRecv*', 1, 30), ('Memcpy HtoD*', 1, 20), only=True),
        'ops': alone(6, 170), 'ops --no-comm': alone(4, 90)},
    '60_critical_path_sync.json': dict(
        timeline='computation 180, busy 180, idle 5, total 185',
        ops=rows(('A', 1, 100), ('B', 1, 80), only=True)),
    '63_legacy_autograd.json': dict(
        timeline='computation 12, busy 12, idle 0, total 12',
        kernels=rows(('mul_kernel*', 1, 12), unlinked=0), ops=rows(('aten::mul', 1, 12), only=True)),
    '76_diff_pair/a.json': dict(
        timeline='computation 60, busy 60, idle 10, total 70',
        ops=rows(('aten::bmm', 2, 50), ('aten::softmax', 1, 10), only=True)),
    '76_diff_pair/b.json': dict(
        timeline='computation 75, busy 75, idle 10, total 85',
        ops=rows(('aten::bmm', 2, 65), ('aten::softmax', 1, 10), only=True)),
    '117_pdl_overlap_path.json': dict(
        timeline='computation 120, busy 120, idle 0, total 120',
        kernels=rows(('primary', 1, 50), ('secondary', 1, 80))),
    '121_queued_before_window.json': dict(
        timeline='computation 200, busy 200, idle 5, total 205',
        ops=rows(('step', 1, 100), ('old1', 1, 100), unlinked=1, only=True)),
}

WHAT = {'computation': 'computation', 'exposed comm': 'exposed_communication',
        'exposed copies': 'exposed_copies', 'busy': 'busy', 'idle': 'idle', 'total': 'total',
        'comm': 'communication_total', 'copies': 'copies_total'}


def ask(binary, command, path):
    run = subprocess.run([binary, *command.split(), '-f', 'json', '-q', path], capture_output=True)
    if run.returncode:
        raise SystemExit(f'{command} {path}: exit {run.returncode}: {run.stderr.decode()}')
    table = json.loads(run.stdout.decode(errors='replace'))[command.split()[0]]
    return [dict(zip(table['columns'], row)) for row in table['rows']]


def check_timeline(got, expected):
    if not expected:
        return [] if not got else ['rows without GPU work']
    times = {r['what']: r['time_ns'] for r in got if r['device'] == got[-1]['device']}
    pairs = re.findall(r'(exposed \w+|\w+) ([\d.]+)', expected)
    return [f'{name} is {times[WHAT[name]]} ns, not {value} us' for name, value in pairs
            if times[WHAT[name]] != round(float(value) * 1000)]


def check_rows(got, expected, events, time, unlinked):
    """got: [(name, kernels, ns, is unlinked)]"""
    bad, seen = [], 0
    for name, n, us in expected.get('rows', ()):
        hits = [r for r in got if r[0] == name or (name[-1] == '*' and r[0].startswith(name[:-1]))]
        seen += len(hits)
        if (sum(r[1] for r in hits), sum(r[2] for r in hits)) != (n, round(us * 1000)):
            bad.append(f'{name}: {hits}, not {n} / {us}')
    if expected.get('only') and seen != len(got):
        bad.append(f'further rows: {got}')
    if expected.get('events', events) != events:
        bad.append(f'{events} events, not {expected["events"]}')
    if round(expected.get('time', time / 1000) * 1000) != time:
        bad.append(f'{time} ns, not {expected["time"]} us')
    if expected.get('unlinked', unlinked) != unlinked:
        bad.append(f'{unlinked} unlinked, not {expected["unlinked"]}')
    if expected.get('nrows', len(got)) != len(got):
        bad.append(f'{len(got)} rows, not {expected["nrows"]}')
    return bad


def check(binary, command, path, expected):
    got = ask(binary, command, path)
    if command == 'timeline':
        return check_timeline(got, expected)
    if command == 'kernels':
        rows = [(r['name'], r['count'], r['total_ns'], r['owner'] == 'unlinked') for r in got]
    else:
        rows = [(r['name'], r['kernels'], r['kernel_time_ns'], r['category'] == 'unlinked')
                for r in got]
    return check_rows(rows, expected, sum(r[1] for r in rows), sum(r[2] for r in rows),
                      sum(r[1] for r in rows if r[3]))


def main():
    binary = sys.argv[1]
    cases = pathlib.Path(__file__).resolve().parents[1] / 'data/cases'
    failed = n = 0
    for case, commands in CASES.items():
        for command, expected in commands.items():
            n += 1
            for what in check(binary, command, str(cases / case), expected):
                failed += 1
                print(f'{case}: {command}: {what}')
    print(f'{n} tables of {len(CASES)} cases, {failed} wrong')
    return 1 if failed else 0


if __name__ == '__main__':
    sys.exit(main())
