// Small bars made of data: horizontal, of a common scale, with what is not known hatched.
import { classOf } from './classes';
import { el, styled } from './dom';

export interface Part { name: string; from: number; size: number; title?: string } // shares of the whole bar, 0..1

const percent = (share: number): string => `${(100 * Math.min(1, Math.max(0, share))).toFixed(3)}%`;

function paint(element: HTMLElement, colour: string, hatched = false): HTMLElement {
  if (hatched) element.classList.add('hat');
  return styled(element, { 'background-color': `var(${colour})` });
}

export function swatch(name: string): HTMLElement {
  const c = classOf(name);
  return paint(el('i', { class: 'sw' }), c.colour, c.hatched);
}

function piece(colour: string, hatched: boolean, from: number, size: number, title?: string): HTMLElement {
  return styled(paint(el('i', { title }), colour, hatched), { left: percent(from), width: percent(size) });
}

// A bar of classes, such as one step.
export function classBar(parts: Part[]): HTMLElement {
  return el('div', { class: 'hb' }, ...parts.map(p => {
    const c = classOf(p.name);
    return piece(c.colour, !!c.hatched, p.from, p.size, p.title);
  }));
}

// A bar of one colour; `part` of it, less or equal, is on the critical path.
export function plainBar(share: number, colour = '--bar', part = 0): HTMLElement {
  const bar = el('div', { class: 'hb' }, piece(colour, false, 0, share));
  if (part > 0) bar.append(styled(piece('--path', false, 0, part), { height: '4px', top: '4px' }));
  return bar;
}

// To the right of the middle: slower; to the left: faster.
export function deltaBar(share: number): HTMLElement {
  const size = Math.min(1, Math.abs(share)) / 2;
  const middle = styled(el('i', {}), { left: '50%', width: '1px', height: '18px', top: '-3px', background: 'var(--rule2)' });
  return el('div', { class: 'hb' }, middle, piece(share > 0 ? '--slower' : '--faster', false, share > 0 ? 0.5 : 0.5 - size, size));
}

// Parts of one whole, side by side, to the full width.
export function accounting(parts: { name: string; value: number; title: string }[], label: string): HTMLElement {
  const total = parts.reduce((sum, p) => sum + p.value, 0) || 1;
  return el('div', { class: 'acct', role: 'img', 'aria-label': label }, ...parts.filter(p => p.value > 0).map(p => {
    const c = classOf(p.name);
    return styled(paint(el('i', { title: p.title }), c.colour, c.hatched), { width: percent(p.value / total) });
  }));
}
