// What time is spent in: one name and one colour for each class, the same in every view.
// Three families: work of the GPU, of the host, and waits; what nobody knows is hatched.

export interface Class { title: string; colour: string; hatched?: boolean }

const classes: Record<string, Class> = {
  compute: { title: 'Compute kernels', colour: '--compute' },
  computation: { title: 'Computation', colour: '--compute' },
  communication: { title: 'Communication', colour: '--comm' },
  exposed_communication: { title: 'Exposed communication', colour: '--comm' },
  memory: { title: 'Copies and sets', colour: '--copy' },
  copy: { title: 'Copies', colour: '--copy' },
  exposed_copies: { title: 'Exposed copies', colour: '--copy' },
  cpu_op: { title: 'CPU operators', colour: '--cpu_op' },
  python: { title: 'Python', colour: '--python' },
  data_loading: { title: 'Data loading', colour: '--data_loading' },
  launch_api: { title: 'Launch calls', colour: '--launch_api' },
  launch: { title: 'Launch calls', colour: '--launch_api' },
  runtime_other: { title: 'Other runtime calls', colour: '--runtime_other' },
  runtime: { title: 'Runtime calls', colour: '--runtime_other' },
  autograd: { title: 'Autograd', colour: '--runtime_other' },
  annotation: { title: 'Annotations', colour: '--mute' },
  profiler_overhead: { title: 'Profiler', colour: '--runtime_other' },
  launch_queue: { title: 'Launch to start', colour: '--launch_queue' },
  gpu_gap: { title: 'Gaps between kernels', colour: '--gpu_gap' },
  gap: { title: 'Gaps between kernels', colour: '--gpu_gap' },
  idle_handoff: { title: 'Handed to another thread', colour: '--gpu_gap' },
  sync: { title: 'Waits for the GPU', colour: '--sync' },
  idle: { title: 'GPU idle', colour: '--idle', hatched: true },
  idle_unknown: { title: 'Unknown', colour: '--idle_unknown', hatched: true },
  untraced_gpu: { title: 'GPU, not in the trace', colour: '--idle_unknown', hatched: true },
};

// A class that this page does not know keeps its name and is grey.
export function classOf(name: string): Class {
  return classes[name] ?? { title: name.replace(/_/g, ' '), colour: '--mute' };
}
