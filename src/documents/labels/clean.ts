/** Controls, and the marks that turn the writing direction of all that follows them. */
const UNPRINTABLE = /[\p{Cc}\p{Cs}\u061c\u200b\u200e\u200f\u202a-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb]/gu;

/** One line of printable text of at most `maxLength` characters; what is longer ends in an ellipsis. */
export function clean(text: string, maxLength: number): string {
  const line = text.replace(/\s+/gu, ' ').replace(UNPRINTABLE, '').trim();
  const characters = Array.from(line);
  return characters.length <= maxLength ? line : `${characters.slice(0, maxLength - 1).join('')}…`;
}

/** {@link clean}, or null where nothing is left. */
export function cleanOrNull(text: string | null | undefined, maxLength: number): string | null {
  if (text === null || text === undefined) return null;
  return clean(text, maxLength) || null;
}
