// Roofs from the table `ops`.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { load } from './modules.mjs';

const { Answer, readPoints, readRoofs, decades, familyOf, specTitle } = await load('data', 'views/roofline/roof');

const column = (name, data, type = 'f64') => ({ name, title: name, help: '', type, unit: 'plain', flags: 0, data });
const ops = rows => ({
  name: 'ops', rows: rows.length, tree: false, detail: false, columns: ['name', 'input_dims', 'category', 'compute_spec', 'roofline_bound'].map(n => column(n, rows.map(r => r[n] ?? null), 'str')).concat(
    ['flops_per_byte', 'tflops_per_s', 'tbytes_per_s', 'roofline_percent', 'kernel_time_ns', 'above_roofline_ns', 'count'].map(n => column(n, rows.map(r => r[n] ?? null)))),
});
const answer = rows => new Answer({ version: 1, kind: 'report', headline: null, doubts: [], next: [], tables: [ops(rows)] });

test('points have a roof; roofs are what points say of them', () => {
  const a = answer([
    { name: 'mm', category: 'GEMM', compute_spec: 'matrix_bf16', roofline_bound: 'compute', flops_per_byte: 800, tflops_per_s: 500, tbytes_per_s: 0.6, roofline_percent: 50, kernel_time_ns: 100, above_roofline_ns: 50, count: 1 },
    { name: 'add', category: 'elementwise', compute_spec: 'vector_bf16', roofline_bound: 'memory', flops_per_byte: 0.2, tflops_per_s: 0.4, tbytes_per_s: 2, roofline_percent: 80, kernel_time_ns: 10, above_roofline_ns: 2, count: 3 },
    { name: 'copy', category: 'elementwise', flops_per_byte: 0, tflops_per_s: 0 }, { name: 'none' },
  ]);
  assert.deepEqual(readPoints(a).map(p => [p.name, p.family, p.row]), [['mm', 'matrix', 0], ['add', 'elementwise', 1]]);
  assert.deepEqual(readRoofs(a), { peaks: [{ spec: 'matrix_bf16', tflops: 1000 }], bandwidth: 2.5 });
  assert.deepEqual(readPoints(answer([])), []);
});

test('axes, families, names of units', () => {
  assert.deepEqual(decades([0.5, 900]), [-1, 3]);
  assert.deepEqual(decades([10, 10]), [1, 2]);
  assert.equal(familyOf('SDPA_bwd'), 'matrix');
  assert.equal(familyOf('NORM_fwd'), 'reduction');
  assert.equal(familyOf('elementwise'), 'elementwise');
  assert.equal(specTitle('matrix_bf16'), 'bf16, matrix');
});
