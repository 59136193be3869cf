// The timeline's keys.
import type { State } from './state';
import type { Walker } from './walker';

function inSight(host: HTMLElement): boolean {
  const box = host.getBoundingClientRect();
  return box.bottom > 60 && box.top < innerHeight - 60;
}

// Arrows act only while the canvas has the focus: elsewhere they scroll.
function bindArrows(canvas: HTMLElement, walker: Walker): void {
  const arrows: Record<string, () => void> = {
    ArrowLeft: () => walker.step(-1, 0), ArrowRight: () => walker.step(1, 0), ArrowUp: () => walker.step(0, -1), ArrowDown: () => walker.step(0, 1), Enter: () => walker.fit(),
  };
  canvas.addEventListener('keydown', e => {
    if (!arrows[e.key] || e.ctrlKey || e.metaKey || e.altKey) return;
    e.preventDefault();
    arrows[e.key]!();
  });
}

// Letters act anywhere on the page, and bring the timeline into sight.
export function bindKeys(host: HTMLElement, canvas: HTMLElement, s: State, walker: Walker, recolour: () => void): void {
  const { view } = s, { keys } = s.app;
  const bind = (names: string, help: string, act: (key: string) => void): void => keys.bind(names, help, key => {
    if (!inSight(host)) host.scrollIntoView({ block: 'start' });
    act(key);
  });
  bind('w s', 'zoom the timeline', key => view.zoom(key === 'w' ? 0.7 : 1 / 0.7));
  bind('a d', 'pan', key => view.pan(key === 'a' ? -0.15 : 0.15));
  bind('n p', 'next, previous path segment', key => walker.segment(key === 'n' ? 1 : -1));
  bind('f', 'fit the selection', () => walker.fit());
  bind('0', 'the whole window', () => view.all());
  bind('c', 'colour by class', recolour);
  bindArrows(canvas, walker);
}
