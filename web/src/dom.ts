// Elements without markup in strings: text of a trace only ever goes in as text.

type Child = Node | string | number | null | undefined | false;
type Props = Record<string, string | number | boolean | null | undefined | ((e: Event) => void)>;

function setProps(element: Element, props: Props): void {
  for (const [name, value] of Object.entries(props)) {
    if (value === null || value === undefined || value === false) continue;
    if (typeof value === 'function') element.addEventListener(name, value);
    else element.setAttribute(name, value === true ? '' : String(value));
  }
}

function add(element: Element, children: Child[]): void {
  for (const child of children)
    if (child !== null && child !== undefined && child !== false)
      element.append(child instanceof Node ? child : String(child));
}

// el('td', { class: 'r', click: f }, 'text', child): functions become listeners
export function el<K extends keyof HTMLElementTagNameMap>(tag: K, props: Props = {}, ...children: Child[]): HTMLElementTagNameMap[K] {
  const element = document.createElement(tag);
  setProps(element, props);
  add(element, children);
  return element;
}

// A button of few letters: its title says what it does, also to those who do not see it.
export function button(text: string, title: string, click: () => void): HTMLButtonElement {
  return el('button', { class: 'btn', title, 'aria-label': title, click }, text);
}

export function svg(tag: string, props: Props = {}, ...children: Child[]): SVGElement {
  const element = document.createElementNS('http://www.w3.org/2000/svg', tag);
  setProps(element, props);
  add(element, children);
  return element;
}

// Styles that are made of data; a Content-Security-Policy may forbid style attributes.
export function styled<E extends HTMLElement | SVGElement>(element: E, style: Record<string, string>): E {
  for (const [name, value] of Object.entries(style)) element.style.setProperty(name, value);
  return element;
}
