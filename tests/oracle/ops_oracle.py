#!/usr/bin/env python3
"""ops, timeline and kernels against the reports of TraceLens with the refactored traversal.

usage: ops_oracle.py LONGPOLE [SHARED]     exit 77: there are no oracles here

Compared are, for each trace with a report:
  ops --no-comm --link tracelens   with unified_perf_summary: the rows (name, dims, types, strides,
                                   concrete inputs), how many they are, their count, kernels and kernel time
  timeline --linked                with gpu_timeline
  kernels --link tracelens         with kernel_summary, by the innermost operator
Rows of category unlinked are ours alone. TraceLens adds in doubles with a quantum of up to 2^-10 us,
so times may differ by half a nanosecond per event. Every other difference must be one of KNOWN, with
its reason, and every KNOWN must occur.
"""
import ast, collections, csv, gzip, io, json, pathlib, re, subprocess, sys

TRACES = {  # report: trace below traces/tracelens
    'h100_Qwen_Qwen1.5-0.5B-Chat__1016005': 'h100/Qwen_Qwen1.5-0.5B-Chat__1016005.json.gz',
    'h100_google_owlv2-large-patch14-ensemble__1016001':
        'h100/google_owlv2-large-patch14-ensemble__1016001.json.gz',
    'inference_sglang_prefilldecode_sglang_Qwen3-8B_prefilldecode':
        'inference/sglang_prefilldecode/sglang_Qwen3-8B_prefilldecode.json.gz',
    'inference_vllm_prefilldecode_piecewise_graph_execution':
        'inference/vllm_prefilldecode_piecewise/graph_execution.json.gz',
    'inference_xdit_flux.1_aiter_sage_profile_trace_rank_0':
        'inference/xdit_flux.1_aiter_sage/profile_trace_rank_0.json.gz',
    'mi300_resnet_act_checkpoint': 'mi300/resnet_act_checkpoint.json.gz',
    'perf_model_normalization_normalization_layer_test':
        'perf_model/normalization/normalization_layer_test.json.gz',
    'torch_compile_triton_trace': 'torch_compile_triton/trace.json.gz',
}

# Reports of the version before, beside their traces, whose rows the new traversal does not change.
OLDER = [f'{gpu}/{model}' for gpu, model in (
    ('h100', 'Falconsai_nsfw_image_detection__1016002'),
    ('h100', 'facebook_timesformer-base-finetuned-k400__1016002'),
    ('h100', 'gaunernst_bert-small-uncased__1016001'),
    ('mi300', 'Falconsai_nsfw_image_detection__1016002'),
    ('mi300', 'Qwen_Qwen1.5-0.5B-Chat__1016005'),
    ('mi300', 'facebook_timesformer-base-finetuned-k400__1016002'))]

# (report, table, what differs): why it does.
KNOWN = {
}

NS = 0.5  # per event


def read_report(folder, name):
    packed = folder / f'{name}.csv.gz'
    with gzip.open(packed, 'rt', newline='') if packed.exists() else \
            open(folder / f'{name}.csv', newline='') as f:
        return list(csv.DictReader(f))


def longpole(binary, *args):
    run = subprocess.run([binary, *args, '-f', 'csv', '-q'], capture_output=True, text=True)
    if run.returncode:
        sys.exit(f"{' '.join(args)}: exit {run.returncode}: {run.stderr}")
    return list(csv.DictReader(io.StringIO(run.stdout)))


def frozen(v):
    return tuple(frozen(x) for x in v) if isinstance(v, (list, tuple)) else v


def of_json(text):
    return frozen(json.loads(text)) if text else ()


def of_python(text):
    return frozen(ast.literal_eval(text)) if text and text not in ('None', 'nan') else ()


def us(text):
    return float(text) * 1000 if text else 0.0


class Sums(collections.UserDict):
    """key: [numbers], added up"""
    def add(self, key, *numbers):
        self.data[key] = [a + b for a, b in zip(self.get(key, [0] * len(numbers)), numbers)]


def close(ours, theirs, events):
    return abs(ours - theirs) <= NS * max(events, 1) + 1e-6


def differences(ours, theirs, events_at, times_at):
    """Keys on one side, unequal counts, and times apart by more than the tolerance."""
    for key in sorted(set(ours) | set(theirs), key=str):
        a, b = ours.get(key), theirs.get(key)
        if a is None or b is None:
            yield key, 'only TraceLens' if a is None else 'only longpole'
            continue
        for i, (x, y) in enumerate(zip(a, b)):
            if i in times_at and not close(x, y, a[events_at]):
                yield key, f'time {x} ns, not {y}'
            if i not in times_at and x != y:
                yield key, f'count {x}, not {y}'


def compare_ops(binary, trace, folder):
    ours, theirs = Sums(), Sums()
    for r in longpole(binary, 'ops', '--no-comm', '--link', 'tracelens', trace):
        if r['category'] != 'unlinked':
            key = (r['name'], r['category'], of_json(r['input_dims']), of_json(r['input_types']),
                   of_json(r['input_strides']), of_json(r['concrete_inputs']))
            ours.add(key, 1, int(r['count']), int(r['kernels']), int(r['kernel_time_ns']))
    for r in read_report(folder, 'unified_perf_summary'):
        key = (r['name'], r['op category'], of_python(r['Input Dims']), of_python(r['Input type']),
               of_python(r['Input Strides']), of_python(r['Concrete Inputs']))
        kernels = sum(map(int, re.findall(r"'count': (\d+)", r['kernel_details_summary'])))
        theirs.add(key, 1, int(r['operation_count']), kernels, us(r['Kernel Time (µs)_sum']))
    return differences(ours, theirs, 2, {3})


def compare_timeline(binary, trace, folder):
    names = {'computation': 'computation_time', 'exposed_communication': 'exposed_comm_time',
             'exposed_copies': 'exposed_memcpy_time', 'busy': 'busy_time', 'idle': 'idle_time',
             'total': 'total_time', 'communication_total': 'total_comm_time',
             'copies_total': 'total_memcpy_time'}
    ours, theirs = Sums(), Sums()
    rows = longpole(binary, 'timeline', '--linked', '--table', 'timeline', trace)
    pooled = 'all' if any(r['device'] == 'all' for r in rows) else rows[0]['device']
    events = sum(int(r['count']) for r in longpole(binary, 'kernels', '--link', 'tracelens', trace))
    for r in rows:
        if r['device'] == pooled:
            ours.add(names[r['what']], events, int(r['time_ns']))
    for r in read_report(folder, 'gpu_timeline'):
        theirs.add(r['type'], events, us(r['time ms']) * 1000)
    return differences(ours, theirs, 0, {1})


def compare_kernels(binary, trace, folder):
    ours, theirs, ends = Sums(), Sums(), {}
    for r in longpole(binary, 'kernels', '--link', 'tracelens', trace):
        if r['kind'] in ('kernel', 'collective'):
            key = (r['innermost_op'], r['name'], r['stream'])
            ours.add(key, int(r['count']), int(r['total_ns']))
            lo, hi = ends.get(key, (1 << 62, 0))
            ends[key] = min(lo, int(r['min_ns'])), max(hi, int(r['max_ns']))
    for key, (lo, hi) in ends.items():
        ours[key] += [lo, hi]
    for r in read_report(folder, 'kernel_summary'):
        d = 'Kernel duration (µs)'
        theirs.add((r['Parent cpu_op'], r['Kernel name'], r['Kernel stream']),
                   int(r[f'{d}_count']), us(r[f'{d}_sum']), us(r[f'{d}_min']), us(r[f'{d}_max']))
    return differences(ours, theirs, 0, {1, 2, 3})


def main():
    binary = sys.argv[1]
    shared = pathlib.Path(sys.argv[2] if len(sys.argv) > 2 else
                          pathlib.Path(__file__).resolve().parents[3] / 'shared')
    oracles, traces = shared / 'oracles/tracelens_refactored', shared / 'traces/tracelens'
    if not oracles.is_dir() or not traces.is_dir():
        print('skipped: no oracles in', shared)
        return 77
    unexplained, unseen = 0, set(KNOWN)
    reports = [(r, oracles / r, traces / t) for r, t in TRACES.items()]
    reports += [(r, traces / f'{r}_perf_report_csvs', traces / f'{r}.json.gz') for r in OLDER]
    for report, folder, trace in reports:
        for table, compare in (('ops', compare_ops), ('timeline', compare_timeline),
                               ('kernels', compare_kernels)):
            n = 0
            for key, what in compare(binary, str(trace), folder):
                known = next((k for k in KNOWN if k[:2] == (report, table) and k[2] in str(key)), None)
                unseen.discard(known)
                n += 1
                if not known:
                    unexplained += 1
                    print(f'{report}: {table}: {key}: {what}')
            print(f'{report}: {table}: {n} differences')
    for k in unseen:
        print('known, but gone:', *k)
    return 1 if unexplained or unseen else 0


if __name__ == '__main__':
    sys.exit(main())
