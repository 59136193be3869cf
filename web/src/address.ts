// The page's address: which view is looked at and what was chosen in it, so that a link or a
// reload shows the same. "#ops?ops.sort=count:desc&name=aten::mm"

export class Address {
  view: string;
  private values: URLSearchParams;
  private timer = 0;

  constructor() {
    [this.view, this.values] = Address.parse(location.hash);
    addEventListener('hashchange', () => this.follow());
  }
  private static parse(hash: string): [string, URLSearchParams] {
    const [view = '', values = ''] = hash.slice(1).split(/\?(.*)/s);
    return [view, new URLSearchParams(values)];
  }
  get(key: string): string | undefined {
    return this.values.get(key) ?? undefined;
  }
  // Undefined or '': as if it had never been chosen.
  set(key: string, value: string | undefined): void {
    if (value) this.values.set(key, value);
    else this.values.delete(key);
    this.soon();
  }
  setView(view: string): void {
    if (view === this.view) return;
    this.view = view;
    this.soon();
  }
  // A link within the page names only a view: the rest stays.
  private follow(): void {
    const [view, values] = Address.parse(location.hash);
    if (values.size) this.values = values;
    this.view = view;
    this.write();
  }
  // Browsers limit how often an address may change.
  private soon(): void {
    clearTimeout(this.timer);
    this.timer = window.setTimeout(() => this.write(), 250);
  }
  private write(): void {
    const values = this.values.toString();
    const hash = `#${this.view}${values && '?' + values}`;
    if (hash !== location.hash && (hash !== '#' || location.hash)) history.replaceState(null, '', hash);
  }
}
