/** Markup that is safe to put into a document as it is. Only {@link markup} and {@link trusted} make it. */
export class Markup {
  constructor(readonly text: string) {}
}

/** What a template may hold: texts are escaped, markup is not, lists are joined, null is nothing. */
export type Part = string | number | Markup | null | readonly Part[];

/** A template of markup: every value that is not markup itself is escaped. */
export function markup(strings: TemplateStringsArray, ...parts: readonly Part[]): Markup {
  let text = strings[0] ?? '';
  for (const [index, part] of parts.entries()) text += render(part) + (strings[index + 1] ?? '');
  return new Markup(text);
}

/** Markup made by this program alone, never from what a caller sent. */
export function trusted(text: string): Markup {
  return new Markup(text);
}

const ESCAPES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

function render(part: Part): string {
  if (part === null) return '';
  if (part instanceof Markup) return part.text;
  if (typeof part === 'string') return part.replace(/[&<>"']/g, (character) => ESCAPES[character] ?? '');
  if (typeof part === 'number') return String(part);
  return part.map(render).join('');
}
