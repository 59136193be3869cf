// The views in the order of the page.
import type { View } from '../app';
import { tables } from './tables';

export const views: View[] = [tables];
