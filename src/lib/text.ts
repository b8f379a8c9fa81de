/** A text or number without surrounding white space; null when nothing is left. */
export function textOf(value: string | number | null | undefined): string | null {
  if (value == null) return null;
  const text = String(value).trim();
  return text === '' ? null : text;
}

/** The first `max` code points. */
export function cutText(text: string, max: number): string {
  return text.length <= max ? text : Array.from(text).slice(0, max).join('');
}
