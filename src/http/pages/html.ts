/** Markup that is safe to send: made by {@link html} alone. */
export class Html {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }
}

/** What may stand in a template: texts are escaped, markup is taken as it is, lists are joined, null is nothing. */
export type Part = string | number | Html | null | readonly Part[];

const ESCAPES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

/** A template whose parts are escaped, inside elements and inside quoted attributes. */
export function html(strings: TemplateStringsArray, ...parts: readonly Part[]): Html {
  const text = strings.map((literal, index) => literal + (index < parts.length ? show(parts[index]) : ''));
  return new Html(text.join(''));
}

function show(part: Part | undefined): string {
  if (part === null || part === undefined) return '';
  if (part instanceof Html) return part.text;
  if (typeof part === 'number') return String(part);
  if (typeof part === 'string') return part.replace(/[&<>"']/g, (character) => ESCAPES[character] ?? '');
  return part.map(show).join('');
}
