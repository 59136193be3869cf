// The views in the order of the page.
import type { View } from '../app';
import { overview } from './overview';
import { tables } from './tables';
import { timeline } from './timeline/timeline';

export const views: View[] = [overview, timeline, tables];
