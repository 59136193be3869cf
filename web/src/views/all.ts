// The views in the order of the page.
import type { View } from '../app';
import { breakdown } from './breakdown';
import { change } from './diff/change';
import { diffKernels, diffOps, points } from './diff/lists';
import { tree as diffTree } from './diff/tree';
import { calls } from './calls/calls';
import { idle } from './idle';
import { kernels } from './kernels';
import { missing } from './missing';
import { ops } from './ops';
import { overview } from './overview';
import { path } from './path/path';
import { whatif } from './path/whatif';
import { roofline } from './roofline/roofline';
import { steps } from './steps';
import { tables } from './tables';
import { timeline } from './timeline/timeline';

export const views: View[] = [
  overview, change, diffOps, diffTree, points, diffKernels, breakdown, steps, timeline, path, whatif, ops, kernels, idle, calls, roofline, tables, missing,
];
