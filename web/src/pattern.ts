// What is typed into a search: a text, in any case, or a /regular expression/.

export interface Pattern { matches(text: string): boolean; error: string | null; empty: boolean }

export function pattern(typed: string): Pattern {
  const text = typed.trim().toLowerCase();
  const none = { matches: () => true, error: null, empty: true };
  if (!text) return none;
  const regex = /^\/(.+)\/$/s.exec(typed.trim());
  if (!regex) return { matches: name => name.toLowerCase().includes(text), error: null, empty: false };
  try {
    const compiled = new RegExp(regex[1]!, 'i');
    return { matches: name => compiled.test(name), error: null, empty: false };
  } catch {
    return { ...none, error: `/${regex[1]}/ is not a regular expression` };
  }
}
