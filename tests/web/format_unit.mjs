// Numbers and names as people read them.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { load } from './modules.mjs';

const { duration, fixed, scaleOf, shapes, within } = await load('format');

test('groups of three digits, a minus sign, and no minus nothing', () => {
  assert.equal(fixed(1234567.891, 2), '1,234,567.89');
  assert.equal(fixed(0.123456, 5), '0.12346');
  assert.equal(fixed(-1234, 0), '\u22121,234');
  assert.equal(fixed(-0.001, 1), '0.0');
});

test('a duration has the unit that fits it', () => {
  assert.deepEqual([0, 999, 1000, 12345, 1234567, 12345678, 1234567890].map(duration).map(t => t.replace('\u202f', ' ')),
    ['0 ns', '999 ns', '1.00 µs', '12.3 µs', '1.23 ms', '12.3 ms', '1.23 s']);
});

test('a column has one scale', () => {
  assert.equal(scaleOf('nsec', 999999).unit, 'µs');
  assert.equal(scaleOf('nsec', 1e6).unit, 'ms');
  assert.equal(scaleOf('bytes', 1e9).unit, 'GB');
});

test('shapes lose their brackets, other texts keep theirs', () => {
  assert.equal(shapes('[[16, 64], [], [64]]'), '16,64\u200264');
  assert.equal(shapes('[["a"]]'), '[["a"]]');
});

test('titles within a sentence keep their capitals', () => {
  assert.deepEqual(['Compute kernels', 'CPU operators', 'GPU idle', ''].map(within), ['compute kernels', 'CPU operators', 'GPU idle', '']);
});
