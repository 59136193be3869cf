"""Small traces, one per constraint, with the answers worked out by hand.

Times are µs. Events are made by the functions below; each case gives the path as lines
"start..end class name (why)", what-ifs as (text, new window) and slacks as (name, slack).
"""


def op(name, ts, dur, tid=100, cat='cpu_op', **args):
    return {'ph': 'X', 'cat': cat, 'name': name, 'pid': 100, 'tid': tid, 'ts': ts, 'dur': dur,
            'args': args}


def py(name, ts, dur, tid=100):
    return op(name, ts, dur, tid, 'python_function')


def note(name, ts, dur, tid=100):
    return op(name, ts, dur, tid, 'user_annotation')


def call(name, ts, dur, correlation, tid=100, **args):
    return op(name, ts, dur, tid, 'cuda_runtime', correlation=correlation, **args)


def gpu(name, ts, dur, correlation, stream=7, cat='kernel'):
    return {'ph': 'X', 'cat': cat, 'name': name, 'pid': 0, 'tid': stream, 'ts': ts, 'dur': dur,
            'args': {'device': 0, 'stream': stream, 'correlation': correlation}}


def copy(name, ts, dur, correlation, stream=7):
    return gpu(name, ts, dur, correlation, stream, 'gpu_memcpy')


def row(name, ts, dur, correlation, stream, **args):
    return {'ph': 'X', 'cat': 'cuda_sync', 'name': name, 'pid': 0, 'tid': stream, 'ts': ts,
            'dur': dur, 'args': dict(args, stream=stream, correlation=correlation, device=0)}


CASES = {}


def case(name, events, path=None, what_if=(), slack=(), window=None):
    CASES[name] = dict(events=events, path=path, what_if=what_if, slack=slack, window=window)


K = [call('cudaLaunchKernel', 10, 5, 1), gpu('k', 20, 80, 1)]
TO_K = '''
0..10 cpu_op step (host time)
10..15 launch_api cudaLaunchKernel (host time)
15..20 launch_queue k (launch)
20..100 compute k (own time)
'''

# ---- Waits of the host ----

case('stream_sync', [op('step', 0, 150), *K, call('cudaStreamSynchronize', 30, 80, 2)],
     TO_K + '''
100..110 sync cudaStreamSynchronize (wait returns)
110..150 cpu_op step (host time)
''', [('k=2x', 110), ('k=0', 70), ('sync=0', 140), ('step=0', 100), ('cpu=0', 95)],
     [('k', 0), ('cudaStreamSynchronize', 0)])
# k=0: the call returns 10 after k ends at 20. step=0: launch 0..5, queue 5, k 80, return 10.
# cpu=0 takes the launch call, too.

case('sync_that_need_not_wait', [op('step', 0, 100), call('cudaLaunchKernel', 10, 5, 1),
                                 gpu('k', 20, 10, 1), call('cudaStreamSynchronize', 50, 6, 2)], '''
0..10 cpu_op step (host time)
10..15 launch_api cudaLaunchKernel (host time)
15..50 cpu_op step (host time)
50..56 sync cudaStreamSynchronize (host time)
56..100 cpu_op step (host time)
''', [('k=0', 100), ('sync=0', 94), ('step=0', 20), ('cpu=inf', 15)], [('k', 26)])
# k may end at 56 (return floor 0: no return ever bound). step=0: launch 0..5, k 10..20 (queue 5),
# the call (5..11) must wait for k now: 20. cpu=inf: the calls take nothing either, k runs 5..15.

case('sync_own_minimum', [op('step', 0, 300), call('cudaStreamSynchronize', 2, 3, 9), *K,
                          call('cudaStreamSynchronize', 30, 80, 2)], '''
0..2 cpu_op step (host time)
2..5 sync cudaStreamSynchronize (host time)
5..10 cpu_op step (host time)
10..15 launch_api cudaLaunchKernel (host time)
15..20 launch_queue k (launch)
20..100 compute k (own time)
100..110 sync cudaStreamSynchronize (wait returns)
110..300 cpu_op step (host time)
''', [('k=0', 223)])
# k=0: it ends at 20, the call begins at 30 and takes its own 3: 33, against 20 + 10 = 30: 33 + 190.

case('device_sync_of_two_streams', [op('step', 0, 200), *K, call('cudaLaunchKernel', 15, 5, 2),
                                    gpu('b', 25, 50, 2, 20), call('cudaDeviceSynchronize', 30, 80, 3)],
     TO_K + '''
100..110 sync cudaDeviceSynchronize (wait returns)
110..200 cpu_op step (host time)
''', [('k=0', 175), ('k=0 b=0', 125)], [('b', 25)])
# k=0: b ends at 75, the return takes the floor of 10: 85 + 90 = 175. Both: b at 25, 35 + 90.

case('event_sync_with_row', [op('step', 0, 200), *K, call('cudaEventRecord', 16, 2, 2),
                             call('cudaLaunchKernel', 20, 5, 3), gpu('later', 102, 50, 3),
                             call('cudaEventSynchronize', 30, 75, 4),
                             row('Event Sync', 30, 75, 4, -1, wait_on_stream=7,
                                 wait_on_cuda_event_record_corr_id=2)],
     TO_K + '''
100..105 sync cudaEventSynchronize (wait returns)
105..200 cpu_op step (host time)
''', [('k=2x', 160), ('later=0', 200)], [('later', 48)])

case('event_sync_by_the_calls', [e for e in CASES['event_sync_with_row']['events']
                                 if e['cat'] != 'cuda_sync'],
     CASES['event_sync_with_row']['path'], [('k=2x', 160)])

case('event_sync_of_an_invalid_row', [e if e['cat'] != 'cuda_sync' else
                                      row('Event Sync', 30, 75, 4, -1, wait_on_stream=-1,
                                          wait_on_cuda_event_record_corr_id=-1)
                                      for e in CASES['event_sync_with_row']['events']],
     CASES['event_sync_with_row']['path'])

case('free_is_a_device_sync', [op('step', 0, 150), *K, call('cudaFree', 30, 80, 2)], TO_K + '''
100..110 sync cudaFree (wait returns)
110..150 cpu_op step (host time)
''', [('k=2x', 110)])

case('free_that_did_not_wait', [op('step', 0, 150), *K, call('hipFree', 30, 10, 2),
                                call('cudaDeviceSynchronize', 50, 60, 3)], TO_K + '''
100..110 sync cudaDeviceSynchronize (wait returns)
110..150 cpu_op step (host time)
''', [], [('hipFree', 60)])
# The sync begins at 50 and would still be in time if it began at 110.

case('pageable_copy', [op('step', 0, 200), *K, call('cudaMemcpyAsync', 20, 100, 2),
                       copy('Memcpy DtoH (Device -> Pageable)', 105, 5, 2)], TO_K + '''
100..105 gpu_gap Memcpy DtoH (Device -> Pageable) (stream order)
105..110 memory Memcpy DtoH (Device -> Pageable) (own time)
110..120 sync cudaMemcpyAsync (wait returns)
120..200 cpu_op step (host time)
''', [('k=2x', 160), ('copies=overlapped', 195), ('gpu_gap=0', 195)])

case('pinned_copy_does_not_wait', [op('step', 0, 130), *K, call('cudaMemcpyAsync', 20, 6, 2),
                                   copy('Memcpy DtoH (Device -> Pinned)', 21, 4, 2, 20)], '''
0..10 cpu_op step (host time)
10..15 launch_api cudaLaunchKernel (host time)
15..20 cpu_op step (host time)
20..26 launch_api cudaMemcpyAsync (host time)
26..130 cpu_op step (host time)
''')

case('blocking_copy', [op('step', 0, 200), call('cudaMemcpy', 20, 60, 1),
                       copy('Memcpy HtoD (Pageable -> Device)', 30, 40, 1)], '''
0..20 cpu_op step (host time)
20..30 launch_queue Memcpy HtoD (Pageable -> Device) (launch)
30..70 memory Memcpy HtoD (Pageable -> Device) (own time)
70..80 sync cudaMemcpy (wait returns)
80..200 cpu_op step (host time)
''', [('memory=2x', 180), ('launch_queue=0', 190)])

case('rocm_copy_with_stream', [op('step', 0, 200), call('hipLaunchKernel', 10, 5, 1),
                               gpu('k', 20, 80, 1), call('hipMemcpyWithStream', 20, 100, 2),
                               copy('CopyDeviceToHost', 105, 8, 2)], '''
0..10 cpu_op step (host time)
10..15 launch_api hipLaunchKernel (host time)
15..20 launch_queue k (launch)
20..100 compute k (own time)
100..105 gpu_gap CopyDeviceToHost (stream order)
105..113 memory CopyDeviceToHost (own time)
113..120 sync hipMemcpyWithStream (wait returns)
120..200 cpu_op step (host time)
''')

POLL = [op('step', 0, 200), *K, call('cudaEventRecord', 16, 2, 2)]
case('polling_is_one_wait', POLL + [call('cudaEventQuery', 30 + 10 * i, 5, 10 + i)
                                    for i in range(8)], TO_K + '''
100..105 sync cudaEventQuery (wait returns)
105..200 cpu_op step (host time)
''', [('k=2x', 160), ('k=0', 125)])
# k=0: it ends at 20; the loop begins at 30 and its own minimum is 0, so it returns at 30: 30 + 95.

case('polling_from_python', [py('loop', 0, 200), op('step', 5, 15), *K,
                             call('cudaEventRecord', 21, 2, 2)] +
     [e for i in range(8) for e in (py('query', 29 + 10 * i, 8),
                                    call('cudaEventQuery', 30 + 10 * i, 5, 10 + i))], '''
0..5 python loop (host time)
5..10 cpu_op step (host time)
10..15 launch_api cudaLaunchKernel (host time)
15..20 launch_queue k (launch)
20..100 compute k (own time)
100..105 sync cudaEventQuery (wait returns)
105..107 python query (host time)
107..200 python loop (host time)
''')

case('another_call_ends_a_poll', POLL + [call('cudaEventQuery', 30, 5, 10),
                                         call('cudaEventQuery', 40, 5, 11),
                                         call('cudaGetDevice', 50, 5, 12),
                                         call('cudaEventQuery', 60, 5, 13)], '''
0..10 cpu_op step (host time)
10..15 launch_api cudaLaunchKernel (host time)
15..16 cpu_op step (host time)
16..18 runtime_other cudaEventRecord (host time)
18..30 cpu_op step (host time)
30..35 runtime_other cudaEventQuery (host time)
35..40 cpu_op step (host time)
40..45 runtime_other cudaEventQuery (host time)
45..50 cpu_op step (host time)
50..55 runtime_other cudaGetDevice (host time)
55..60 cpu_op step (host time)
60..65 runtime_other cudaEventQuery (host time)
65..200 cpu_op step (host time)
''')

# ---- Waits of streams ----

WAIT = [op('step', 0, 300), *K, call('cudaEventRecord', 16, 2, 2),
        call('cudaStreamWaitEvent', 20, 2, 3), call('cudaLaunchKernel', 24, 5, 4),
        gpu('c', 103, 60, 4, 20), call('cudaStreamSynchronize', 40, 130, 5)]
WAIT_PATH = TO_K + '''
100..103 sync c (event wait%s)
103..163 compute c (own time)
163..170 sync cudaStreamSynchronize (wait returns)
170..300 cpu_op step (host time)
'''
case('event_wait_with_row', WAIT + [row('Stream Wait Event', 20, 2, 3, 20, wait_on_stream=7,
                                        wait_on_cuda_event_record_corr_id=2),
                                    row('Stream Sync', 40, 130, 5, 20)],
     WAIT_PATH % '', [('k=2x', 260), ('k=0', 231)])
# k=0: its end at 20 + 3 = 23; the launch (29) has the floor of 5, so c runs 34..94: 101 + 130.

case('event_wait_by_the_calls', WAIT, WAIT_PATH % ', inferred', [('k=2x', 260)])

case('event_wait_of_an_invalid_row', WAIT + [
    row('Stream Wait Event', 20, 2, 3, 20, wait_on_stream=-1,
        wait_on_cuda_event_record_corr_id=-1)], WAIT_PATH % ', inferred')

case('event_wait_of_a_row_without_record', WAIT + [
    row('Stream Wait Event', 20, 2, 3, 20, wait_on_stream=7)], WAIT_PATH % ', inferred')

case('stream_that_stands_still', [op('step', 0, 300), *K, call('cudaLaunchKernel', 15, 5, 2),
                                  gpu('a', 25, 10, 2, 20), call('cudaLaunchKernel', 20, 5, 3),
                                  gpu('b', 104, 50, 3, 20), call('cudaDeviceSynchronize', 30, 130, 4)],
     TO_K + '''
100..104 sync b (event wait, inferred)
104..154 compute b (own time)
154..160 sync cudaDeviceSynchronize (wait returns)
160..300 cpu_op step (host time)
''')

# ---- GPU work ----

case('skewed_clock', [op('step', 0, 100), call('cudaLaunchKernel', 30, 5, 1), gpu('k', 25, 40, 1),
                      call('cudaDeviceSynchronize', 40, 30, 3)], '''
0..25 cpu_op step (host time)
25..65 compute k (own time)
65..70 sync cudaDeviceSynchronize (wait returns)
70..100 cpu_op step (host time)
''', [('k=2x', 80), ('cudaLaunchKernel=0', 100)])

case('skewed_into_a_hole', [op('a', 0, 10), op('b', 30, 70), call('cudaLaunchKernel', 35, 5, 1),
                            gpu('k', 20, 40, 1), call('cudaDeviceSynchronize', 50, 20, 3)], '''
0..10 cpu_op a (host time)
10..20 idle_unknown - (no host event)
20..60 compute k (own time)
60..70 sync cudaDeviceSynchronize (wait returns)
70..100 cpu_op b (host time)
''')

case('starts_while_its_launch_runs', [op('step', 0, 100), call('cudaLaunchKernel', 10, 30, 1),
                                      gpu('k', 20, 60, 1), call('cudaDeviceSynchronize', 50, 40, 3)], '''
0..10 cpu_op step (host time)
10..20 launch_api cudaLaunchKernel (host time)
20..80 compute k (own time)
80..90 sync cudaDeviceSynchronize (wait returns)
90..100 cpu_op step (host time)
''', [('launch=0', 90)])

GRAPH = [op('replay', 0, 200), call('cudaGraphLaunch', 10, 10, 1), gpu('g1', 25, 30, 1),
         gpu('g2', 57, 20, 1), gpu('g3', 80, 20, 1, 20), call('cudaStreamSynchronize', 30, 75, 2)]
case('graph_chain', GRAPH, '''
0..10 cpu_op replay (host time)
10..20 launch_api cudaGraphLaunch (host time)
20..25 launch_queue g1 (launch)
25..55 compute g1 (own time)
55..57 gpu_gap g2 (stream order)
57..77 compute g2 (own time)
77..80 gpu_gap g3 (graph order, inferred)
80..100 compute g3 (own time)
100..105 sync cudaStreamSynchronize (wait returns)
105..200 cpu_op replay (host time)
''', [('g2=0', 180), ('g.=0', 130)])

case('queue_that_was_not_empty', [op('step', 0, 6000), call('cudaLaunchKernel', 10, 5, 1),
                                  gpu('k', 5000, 100, 1), call('cudaDeviceSynchronize', 20, 5100, 2)], '''
0..10 cpu_op step (host time)
10..15 launch_api cudaLaunchKernel (host time)
15..5000 untraced_gpu k (nothing recorded before it)
5000..5100 compute k (own time)
5100..5120 sync cudaDeviceSynchronize (wait returns)
5120..6000 cpu_op step (host time)
''')

case('only_gpu_work', [gpu('a', 0, 10, 1), gpu('b', 12, 10, 2), gpu('c', 5, 40, 3, 20)], '''
0..5 untraced_gpu c (nothing recorded before it)
5..45 compute c (own time)
''', [('c=2x', 25), ('a=0', 45)], [('b', 23)])

# ---- Host threads ----

case('hand_off', [op('forward', 0, 50), op('backward', 60, 80, 200),
                  call('cudaLaunchKernel', 70, 5, 1, 200), gpu('k', 80, 100, 1),
                  op('optimizer', 150, 10), call('cudaDeviceSynchronize', 165, 20, 2),
                  op('end', 185, 15)], '''
0..50 cpu_op forward (host time)
50..60 idle_handoff - (hand-off, inferred from time)
60..70 cpu_op backward (host time)
70..75 launch_api cudaLaunchKernel (host time)
75..80 launch_queue k (launch)
80..180 compute k (own time)
180..185 sync cudaDeviceSynchronize (wait returns)
185..200 cpu_op end (host time)
''', [('k=0', 180), ('forward=0', 150)])
# k=0 ends at 80. backward ends at 140, optimizer follows 10 later: 150..160, a hole of 5, the
# call at 165 takes nothing of its own: 165 + 15. So the host decides.

case('no_hand_off_from_a_leaf', [op('long', 0, 200), op('child', 10, 20), op('worker', 40, 60, 200),
                                 op('end', 200, 10)], '''
0..10 cpu_op long (host time)
10..30 cpu_op child (host time)
30..200 cpu_op long (host time)
200..210 cpu_op end (host time)
''', [], [('worker', 110)])

case('waits_for_the_engine', [py('step', 0, 200), op('loss', 10, 20),
                              py('<built-in method run_backward of torch>', 40, 100),
                              op('backward', 50, 70, 200), op('optimizer', 150, 20)], '''
0..10 python step (host time)
10..30 cpu_op loss (host time)
30..50 idle_handoff - (hand-off, inferred from time)
50..120 cpu_op backward (host time)
120..140 idle_handoff - (hand-off, inferred from time)
140..150 python step (host time)
150..170 cpu_op optimizer (host time)
170..200 python step (host time)
''')

case('hole', [op('a', 0, 10), op('b', 50, 10)], '''
0..10 cpu_op a (host time)
10..50 idle_unknown - (no host event)
50..60 cpu_op b (host time)
''', [('idle_unknown=0', 20), ('a=0', 50)])

case('data_loader_span', [note('enumerate(DataLoader)#_MultiProcessingDataLoaderIter.__next__', 0,
                               100), op('aten::stack', 20, 10), op('step', 100, 50)], '''
0..20 data_loading - (no host event)
20..30 data_loading aten::stack (host time)
30..100 data_loading - (no host event)
100..150 cpu_op step (host time)
''', [('data_loading=0', 50)])

case('annotations_are_no_work', [note('ProfilerStep#1', 0, 100), op('a', 10, 20),
                                 note('forward', 10, 60), op('b', 60, 40)], '''
10..30 cpu_op a (host time)
30..60 idle_unknown - (no host event)
60..100 cpu_op b (host time)
''')

case('profiler_overhead', [op('step', 0, 100), call('cudaLaunchKernel', 10, 50, 1),
                           op('Lazy Function Loading', 20, 30, cat='overhead'), gpu('k', 62, 10, 1),
                           call('cudaDeviceSynchronize', 62, 15, 2)], '''
0..10 cpu_op step (host time)
10..20 launch_api cudaLaunchKernel (host time)
20..50 profiler_overhead Lazy Function Loading (host time)
50..60 launch_api cudaLaunchKernel (host time)
60..62 launch_queue k (launch)
62..72 compute k (own time)
72..77 sync cudaDeviceSynchronize (wait returns)
77..100 cpu_op step (host time)
''', [('profiler_overhead=0', 70)])

case('outlives_its_parent', [op('a', 0, 50), op('b', 40, 30), op('c', 80, 20)], '''
0..40 cpu_op a (host time)
40..70 cpu_op b (host time)
70..80 idle_unknown - (no host event)
80..100 cpu_op c (host time)
''')

# ---- Windows ----

STEPS = [op('step0', 0, 100), op('step1', 100, 100), note('ProfilerStep#0', 0, 100),
         note('ProfilerStep#1', 100, 100), call('cudaLaunchKernel', 10, 5, 1), gpu('k0', 80, 60, 1),
         call('cudaLaunchKernel', 110, 5, 2), gpu('k1', 145, 30, 2),
         call('cudaDeviceSynchronize', 120, 60, 3), call('cudaLaunchKernel', 185, 5, 4),
         gpu('k2', 192, 40, 4)]
case('window_cuts_gpu_work', STEPS, '''
100..140 compute k0 (own time)
140..145 gpu_gap k1 (stream order)
145..175 compute k1 (own time)
175..180 sync cudaDeviceSynchronize (wait returns)
180..185 cpu_op step1 (host time)
185..190 launch_api cudaLaunchKernel (host time)
190..200 cpu_op step1 (host time)
''', [('k0=2x', 80), ('k1=2x', 85), ('k2=0', 100)], [('k0', 0)], window='step:1')
# Only 40 of k0 lie in the window: 20 less. k2 ends after it and is no finisher.

case('window_of_a_wait', STEPS, '''
120..140 compute k0 (own time)
140..150 sync cudaDeviceSynchronize (still waits)
''', window='120us..150us')
# k1 has begun, but ends after the window.
