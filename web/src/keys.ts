// Keys of the page. None fires while a field has the focus or a dialog is open.
import { el } from './dom';

interface Key { keys: string[]; help: string; press: (key: string) => void }

function inField(e: KeyboardEvent): boolean {
  return e.target instanceof Element && e.target.matches('input:not([type=range]), select, textarea');
}

// Esc empties a search and leaves it.
function leaveField(e: KeyboardEvent): void {
  const field = e.target as HTMLElement;
  if (e.key !== 'Escape') return;
  if (field instanceof HTMLInputElement && field.value) {
    field.value = '';
    field.dispatchEvent(new Event('input', { bubbles: true }));
  }
  field.blur();
}

export class Keys {
  private readonly all: Key[] = [];

  constructor() {
    addEventListener('keydown', e => this.pressed(e));
  }
  // "w s": either of them; names are those of KeyboardEvent.key, letters in lower case
  bind(keys: string, help: string, press: (key: string) => void): void {
    this.all.push({ keys: keys.split(' '), help, press });
  }
  private pressed(e: KeyboardEvent): void {
    if (e.defaultPrevented || document.querySelector('dialog[open]')) return;
    if (inField(e)) return leaveField(e);
    if (e.ctrlKey || e.metaKey || e.altKey) return;
    const name = e.key.length === 1 ? e.key.toLowerCase() : e.key;
    const key = this.all.find(k => k.keys.includes(name));
    if (!key) return;
    e.preventDefault();
    key.press(name);
  }
  help(): void {
    const shown = (name: string): string => (name === 'Escape' ? 'Esc' : name.length === 1 ? name.toUpperCase() : name);
    const rows = this.all.map(k => el('tr', {},
      el('td', {}, ...k.keys.flatMap(name => [el('kbd', {}, shown(name)), ' '])), el('td', {}, k.help)));
    const close = (): void => dialog.close();
    const dialog = el('dialog', { 'aria-label': 'Keys', close: () => dialog.remove() },
      el('h3', {}, 'Keys'), el('table', {}, el('tbody', {}, ...rows)),
      el('p', { class: 'note' }, 'In a table or tree: arrows move, Enter opens or picks.'),
      el('button', { class: 'btn', click: close }, 'Close'));
    document.body.append(dialog);
    dialog.showModal();
  }
}
