/** A text or number without surrounding white space; null when nothing is left. */
export function textOf(value: string | number | null | undefined): string | null {
  if (value == null) return null;
  const text = String(value).trim();
  return text === '' ? null : text;
}

/** The first `max` code points. */
export function cutText(text: string, max: number): string {
  // Of the part that can hold them alone: a text may have millions.
  return text.length <= max
    ? text
    : Array.from(text.slice(0, 2 * max))
        .slice(0, max)
        .join('');
}

/** The text; where it has more than `max` UTF-16 units its two ends around an ellipsis, no pair cut in half. */
export function shortened(text: string, max: number): string {
  if (text.length <= max) return text;
  const half = Math.floor((max - 1) / 2);
  const head = text.slice(0, half).replace(/[\ud800-\udbff]$/, '');
  const tail = text.slice(-half).replace(/^[\udc00-\udfff]/, '');
  return `${head}…${tail}`;
}
