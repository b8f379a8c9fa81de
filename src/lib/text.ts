/** A trimmed text or number; null when empty. */
export function textOf(value: string | number | null | undefined): string | null {
  if (value == null) return null;
  const text = String(value).trim();
  return text === '' ? null : text;
}

/** The first `max` code points. */
export function cutText(text: string, max: number): string {
  // Splits only the part that can hold them: a text may have millions.
  return text.length <= max
    ? text
    : Array.from(text.slice(0, 2 * max))
        .slice(0, max)
        .join('');
}

/** Replaces the middle by an ellipsis when the text exceeds `max` UTF-16 units; never splits a pair. */
export function shortened(text: string, max: number): string {
  if (text.length <= max) return text;
  const half = Math.floor((max - 1) / 2);
  const head = text.slice(0, half).replace(/[\ud800-\udbff]$/, '');
  const tail = text.slice(-half).replace(/^[\udc00-\udfff]/, '');
  return `${head}…${tail}`;
}
