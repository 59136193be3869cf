// What the parts of the timeline share while it is on the page.
import type { App } from '../../app';
import { Longest } from './spans';
import type { Layout } from './layout';
import type { Lane, Lanes } from './lanes';
import type { Ink, Raster } from './raster';
import type { Viewport } from './viewport';

export interface Search { text: string; hits: Uint32Array; events: number; gpu: number } // hits: running count

export interface State {
  app: App; whole: Lanes;
  lanes: Lanes; // the whole, or a finer tile of it
  longest: Longest; view: Viewport;
  layout: Layout; width: number; ratio: number; // pixels of the device in one of CSS
  raster: Raster; ink: Record<string, Ink>;
  byClass: boolean;
  opened: Set<Lane>; allLanes: boolean;
  selected: number; hovered: number; // bars, or -1
  launched: number[]; // what the selected one launched
  measure: [number, number] | null;
  search: Search | null;
  colour: Record<string, string>;
}

export const perNs = (s: State): number => (s.width - s.layout.gutter) / s.view.span;
export const timeAt = (s: State, x: number): number => s.view.t0 + (x - s.layout.gutter) / perNs(s);
export const xAt = (s: State, t: number): number => s.layout.gutter + (t - s.view.t0) * perNs(s);
