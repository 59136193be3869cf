"""The answers to the hand-made cases of tests/data/cases, by file."""

HANDED = {
    '60_critical_path_sync.json': dict(path='''
0..5 cpu_op A (host time)
5..10 launch_api cudaLaunchKernel (host time)
10..15 launch_queue kA (launch)
15..115 compute kA (own time)
115..120 gpu_gap kB (stream order)
120..200 compute kB (own time)
200..205 sync cudaDeviceSynchronize (wait returns)
205..210 cpu_op sync_point (host time)
210..215 idle_unknown - (no host event)
215..240 cpu_op C (host time)
''', what_if=[('kA=2x', 190), ('kB=2x', 200)],
        slack=[],
        lanes={}),
    '111_device_sync_two_streams.json': dict(path='''
0..10 cpu_op step (host time)
10..15 launch_api cudaLaunchKernel (host time)
15..20 cpu_op step (host time)
20..25 launch_api cudaLaunchKernel (host time)
25..30 launch_queue kB (launch)
30..200 compute kB (own time)
200..210 sync cudaDeviceSynchronize (wait returns)
210..260 cpu_op step (host time)
''', what_if=[('kB=2x', 230), ('kA=2x', 260), ('kA=2x kB=2x', 175)],
        slack=[('kA', 30)],
        lanes={'cpu 100': 210, 'gpu 0 stream 20': 30}),
    '113_graph_branch_join.json': dict(path='''
0..10 cpu_op graph_replay (host time)
10..20 launch_api cudaGraphLaunch (host time)
20..25 launch_queue g1 (launch)
25..55 compute g1 (own time)
55..57 gpu_gap g2 (graph order, inferred)
57..117 compute g2 (own time)
117..120 gpu_gap g3 (graph order, inferred)
120..140 compute g3 (own time)
140..150 sync cudaStreamSynchronize (wait returns)
150..200 cpu_op graph_replay (host time)
''', what_if=[('g2=2x', 170), ('g2=0', 140), ('g1=0', 170)],
        slack=[],
        lanes={'cpu 100': 150, 'gpu 0 stream 7': 120, 'gpu 0 stream 20': 57}),
    '115_data_loader_starves.json': dict(path='''
0..10 cpu_op aten::conv2d (host time)
10..15 launch_api cudaLaunchKernel (host time)
15..30 cpu_op aten::conv2d (host time)
30..150 data_loading torch/utils/data/dataloader.py(701): __next__ (host time)
150..210 data_loading aten::stack (host time)
210..230 data_loading torch/utils/data/dataloader.py(701): __next__ (host time)
230..240 cpu_op aten::conv2d (host time)
240..245 launch_api cudaLaunchKernel (host time)
245..250 launch_queue k2 (launch)
250..310 compute k2 (own time)
310..320 sync cudaDeviceSynchronize (wait returns)
''', what_if=[('aten::stack=0', 260), ('data_loading=2x', 220), ('data_loading=0', 150), ('k1=2x', 320)],
        slack=[('k1', 170)],
        lanes={'cpu 100': 310, 'gpu 0 stream 7': 250}),
    '117_pdl_overlap_path.json': dict(path='''
0..10 cpu_op decode (host time)
10..15 launch_api cudaLaunchKernelExC (host time)
15..20 launch_queue primary (launch)
20..60 compute primary (own time)
60..140 compute secondary (own time)
140..150 sync cudaStreamSynchronize (wait returns)
150..200 cpu_op decode (host time)
''', what_if=[('secondary=2x', 160), ('primary=2x', 180), ('primary=0', 168)],
        slack=[],
        lanes={'cpu 100': 150, 'gpu 0 stream 7': 60}),
    '119_rocm_no_sync_rows.json': dict(path='''
0..2 cpu_op rocm_step (host time)
2..7 launch_api hipLaunchKernel (host time)
7..10 cpu_op rocm_step (host time)
10..15 launch_api hipLaunchKernel (host time)
15..20 launch_queue p (launch)
20..120 compute p (own time)
120..124 sync c (event wait, inferred)
124..190 compute c (own time)
190..200 sync hipDeviceSynchronize (wait returns)
200..240 cpu_op rocm_step (host time)
''', what_if=[('p=2x', 190), ('p=0', 168), ('c=2x', 207)],
        slack=[('q', 72)],
        lanes={'cpu 200': 200, 'gpu 2 stream 3': 20, 'gpu 2 stream 5': 124}),
    '121_queued_before_window.json': dict(path='''
0..1400 untraced_gpu old1 (nothing recorded before it)
1400..1500 compute old1 (own time)
1500..1505 gpu_gap k1 (stream order)
1505..1605 compute k1 (own time)
1605..1620 sync cudaDeviceSynchronize (wait returns)
1620..1700 cpu_op step (host time)
''', what_if=[('old1=2x', 1650), ('k1=0', 1600), ('old1=2x k1=2x', 1600)],
        slack=[('cudaLaunchKernel', 1490)],
        lanes={'gpu 0 stream 7': 1505, 'cpu 100': 1620}),
    '123_nested_self_time.json': dict(path='''
0..10 python train.py(12): step (host time)
10..20 cpu_op aten::linear (host time)
20..30 cpu_op aten::t (host time)
30..40 cpu_op aten::linear (host time)
40..45 cpu_op aten::addmm (host time)
45..60 runtime_other cudaMalloc (host time)
60..70 cpu_op aten::addmm (host time)
70..80 launch_api cudaLaunchKernel (host time)
80..120 cpu_op aten::addmm (host time)
120..150 cpu_op aten::linear (host time)
150..160 python train.py(12): step (host time)
160..180 cpu_op aten::relu (host time)
180..200 python train.py(12): step (host time)
''', what_if=[('aten::linear=2x', 175), ('cudaMalloc=0', 185), ('k=2x', 200)],
        slack=[('k', 105)],
        lanes={'cpu 100': 180}),
    '125_two_threads_join.json': dict(path='''
0..20 cpu_op setup (host time)
20..30 idle_handoff - (hand-off, inferred from time)
30..40 cpu_op aten::conv2d (host time)
40..45 launch_api cudaLaunchKernel (host time)
45..50 launch_queue kW (launch)
50..190 compute kW (own time)
190..195 sync kJ (event wait)
195..235 compute kJ (own time)
235..245 sync cudaStreamSynchronize (wait returns)
245..260 cpu_op log (host time)
''', what_if=[('kW=2x', 190), ('kW=0', 185), ('kJ=2x', 240), ('kM=2x', 260)],
        slack=[('kM', 75)],
        lanes={'cpu 100': 245, 'cpu 200': 40, 'gpu 0 stream 20': 50, 'gpu 0 stream 7': 195}),
}
