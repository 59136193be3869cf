#!/usr/bin/env python3
"""`critical-path --model hta` against HTA's own numbers, in every window that HTA finished.

Compared are the length of the path, the edges and their weights by type, and the path by what
bounds it. EXPLAINED lists the windows where a difference is HTA's own: it is checked, too.
"""
import json
import pathlib
import subprocess
import sys

exe = sys.argv[1]
only = sys.argv[2:]
shared = pathlib.Path(__file__).resolve().parent.parent.parent.parent / 'shared'
summary = shared / 'oracles' / 'hta' / 'critical_path_summary.json'
if not summary.exists():
    print('skipped: no ../shared/oracles')
    sys.exit(77)

HTA = {
    'alexnet': 'critical_path/alexnet/benchmark_result_2869224_1695835535_trace',
    'amd_minitoy': 'amd_trace/mi250_minitoy_train_ROCm6_2_kineto',
    'control': 'trace_diff/control/control',
    'test': 'trace_diff/test/test',
    'df_index_resolver': 'df_index_resolver/df_index_resolver',
    'e2e_simple_add': 'critical_path/end_to_end/simple_add/input/trace',
    'simple_add': 'critical_path/simple_add/benchmark_result_493459_1694039959_trace',
    'event_sync': 'critical_path/cuda_event_sync/event_sync_trace',
    'nccl_data': 'nccl_parser_config/nccl_data',
    'triton_example': 'triton_example/triton_example',
}
TRACELENS = {
    'mi210_gpu_only': 'mi210/gpu_only_trace/gpu_only_trace',
    'mi300_resnet_act_checkpoint': 'mi300/resnet_act_checkpoint',
    'norm_test': 'perf_model/normalization/normalization_layer_test',
    'sglang_prefilldecode': 'inference/sglang_prefilldecode/sglang_Qwen3-8B_prefilldecode',
    'torch_compile_triton': 'torch_compile_triton/trace',
    'vllm_decode_graph': 'inference/vllm_decode_full/graph_execution',
    'vllm_prefill_graph': 'inference/vllm_prefilldecode_piecewise/graph_execution',
    'xdit_flux_aiter': 'inference/xdit_flux.1_aiter_sage/profile_trace_rank_0',
}

# HTA sorts the launches and starts of a queue by time with an unstable sort (its queue length
# series: "unstable for ties"). We reproduce numpy's sort and so all windows but these, where one
# pair of simultaneous rows comes out the other way round: one kernel hangs on its launch in HTA,
# on the kernel before it here. The path is the same.
EXPLAINED = {'control.cp.full_None', 'df_index_resolver.cp.ProfilerStep_1',
             'df_index_resolver.cp.full_None'}


def trace_of(key):
    for names, folder in ((HTA, 'hta'), (TRACELENS, 'tracelens')):
        if key in names:
            return shared / 'traces' / folder / (names[key] + '.json.gz')
    device, name = key.split('_', 1)
    return shared / 'traces' / 'tracelens' / device / (name + '.json.gz')


def ask(key, oracle):
    command = [exe, 'critical-path', '--model', 'hta', str(trace_of(key)), '-f', 'json']
    if oracle['annotation']:
        command += ['--window', f'{oracle["annotation"]}:{oracle["instance"] or 0}']
    p = subprocess.run(command, capture_output=True, text=True)
    if p.returncode:
        return None, p.stderr
    return {name: [dict(zip(t['columns'], r)) for r in t['rows']]
            for name, t in json.loads(p.stdout).items()}, ''


def compare(oracle, answer):
    edges = {r['type']: r for r in answer['hta_edges']}
    window = answer['window'][0]
    want, got = {}, {}
    for t, n in oracle['edges_by_type'].items():
        want[t], got[t] = n, edges[t]['edges']
    for t, w in oracle['edge_weight_sum_by_type'].items():
        want[t + ' us'], got[t + ' us'] = w * 1000, edges[t]['weight_ns']
    want['nodes'], got['nodes'] = oracle['n_nodes'], window['nodes']
    want['negative'], got['negative'] = oracle['neg_edges'], window['negative_edges']
    want['path ns'], got['path ns'] = oracle['total_critical_path'] * 1000, window['path_ns']
    want['path edges'], got['path edges'] = oracle['n_critical_edges'], len(answer['path'])
    bounds = {r['class']: r['time_ns'] for r in answer['path_summary']}
    for b, us in oracle['duration_by_bound'].items():
        if b:
            want[b], got[b] = us * 1000, bounds.get(b, 0)
    return {k: (got[k], want[k]) for k in want if got[k] != want[k]}


def explained(key, differ):
    """One kernel has changed its edge; nothing of the path has."""
    a, b = differ.pop('KERNEL_LAUNCH_DELAY', (0, 0)), differ.pop('KERNEL_KERNEL_DELAY', (0, 0))
    differ.pop('KERNEL_LAUNCH_DELAY us', None)
    differ.pop('KERNEL_KERNEL_DELAY us', None)
    return key in EXPLAINED and not differ and abs(a[0] - a[1]) <= 1 and a[0] - a[1] == b[1] - b[0]


failed = compared = equal = 0
for key, oracle in json.load(open(summary)).items():
    if not oracle.get('success') or (only and key not in only):
        continue
    answer, trouble = ask(key.split('.cp.')[0], oracle)
    differ = compare(oracle, answer) if answer else {'error': trouble}
    compared += 1
    equal += not differ
    if differ and not explained(key, dict(differ)):
        failed += 1
        print(f'not ok - {key}')
        for what, pair in differ.items():
            print(f'#   {what}: {pair}')
print(f'{compared} windows: {equal} equal, {compared - equal - failed} explained, {failed} wrong')
sys.exit(failed > 0)
