// Operators against what the hardware can do: points and roofs, as the table `ops` has them.
import type { Answer } from '../../data';

export type Family = 'matrix' | 'elementwise' | 'reduction';

export interface Point {
  row: number; // of ops
  name: string; dims: string; category: string; family: Family; spec: string;
  intensity: number; tflops: number; // FLOP per byte, TFLOP/s
  time: number; percent: number; above: number; calls: number;
}

export interface Roofs { peaks: { spec: string; tflops: number }[]; bandwidth: number } // TB/s; 0: not known

const MATRIX = /GEMM|SDPA|CONV|MOE|BMM|attention/i, REDUCTION = /reduce|norm|softmax|loss|pool/i;

export function familyOf(category: string): Family {
  return MATRIX.test(category) ? 'matrix' : REDUCTION.test(category) ? 'reduction' : 'elementwise';
}

export function readPoints(answer: Answer): Point[] {
  const t = answer.table('ops');
  if (!t?.has('flops_per_byte') || !t.has('roofline_percent')) return [];
  const num = (name: string, i: number): number => t.column(name).num(i), text = (name: string, i: number): string => t.column(name).text(i);
  return Array.from({ length: t.rows }, (_, row) => row)
    .filter(i => num('flops_per_byte', i) > 0 && num('tflops_per_s', i) > 0 && num('roofline_percent', i) > 0 && /compute|memory/.test(text('roofline_bound', i)))
    .map(row => ({
      row, name: text('name', row), dims: text('input_dims', row), category: text('category', row), family: familyOf(text('category', row)), spec: text('compute_spec', row),
      intensity: num('flops_per_byte', row), tflops: num('tflops_per_s', row), time: num('kernel_time_ns', row), percent: num('roofline_percent', row),
      above: num('above_roofline_ns', row), calls: num('count', row),
    }));
}

// A point at p % of a roof says how high the roof is. All points of one roof say the same.
export function readRoofs(answer: Answer): Roofs {
  const t = answer.table('ops'), peaks = new Map<string, number>();
  let bandwidth = 0;
  for (let i = 0; t && i < t.rows; i++) {
    const share = t.column('roofline_percent').num(i) / 100, bound = t.column('roofline_bound').text(i);
    if (share <= 0) continue;
    if (bound === 'compute') peaks.set(t.column('compute_spec').text(i), t.column('tflops_per_s').num(i) / share);
    if (bound === 'memory') bandwidth = t.column('tbytes_per_s').num(i) / share;
  }
  const mfu = answer.table('mfu'); // the peaks of data sheets, also where nothing reaches the flat part
  for (let i = 0; mfu && i < mfu.rows; i++)
    if (mfu.column('peak_tflops').num(i) > 0) peaks.set(mfu.column('compute_spec').text(i), mfu.column('peak_tflops').num(i));
  return { peaks: [...peaks].map(([spec, tflops]) => ({ spec, tflops })).sort((a, b) => b.tflops - a.tflops), bandwidth };
}

// The powers of ten around some values, for a logarithmic axis.
export function decades(values: number[]): [low: number, high: number] {
  const low = Math.floor(Math.log10(Math.min(...values))), high = Math.ceil(Math.log10(Math.max(...values)));
  return [low, Math.max(high, low + 1)];
}

// "matrix_bf16": "bf16, matrix"
export const specTitle = (spec: string): string => spec.split('_').reverse().join(', ');
