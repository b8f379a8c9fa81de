import { withoutMarks } from '../../lib/sent-text.js';
import { withoutUndrawn } from '../fonts.js';

const UNPRINTABLE = /[\p{Cc}\p{Cs}]/gu;

/**
 * One line of printable text, at most `maxLength` characters, ending in an ellipsis if cut. Labels must not
 * depend on the host's fonts: emoji and signs missing in ours are dropped, letters become question marks.
 */
export function clean(text: string, maxLength: number): string {
  const spaced = text.replace(/\s+/gu, ' ').replace(UNPRINTABLE, '');
  const drawn = withoutUndrawn(spaced, (character) => (/[\p{L}\p{N}\p{P}]/u.test(character) ? '?' : ''));
  const line = withoutMarks(drawn).replace(/ {2,}/g, ' ');
  const characters = Array.from(line);
  return characters.length <= maxLength ? line : `${characters.slice(0, maxLength - 1).join('')}…`;
}

/** {@link clean}, or null when nothing is left. */
export function cleanOrNull(text: string | null | undefined, maxLength: number): string | null {
  if (text === null || text === undefined) return null;
  return clean(text, maxLength) || null;
}

/** {@link clean}, but cuts the middle: the end of an order number or note is important. */
export function cleanEnds(text: string, maxLength: number): string {
  return middleCutter(clean(text, Number.MAX_SAFE_INTEGER))(maxLength);
}

/**
 * Replaces the middle of a text by an ellipsis when it exceeds `maxLength` characters, between words if possible. Many
 * lengths can be tried.
 */
export function middleCutter(text: string): (maxLength: number) => string {
  const characters = Array.from(text);
  return (maxLength) => {
    if (characters.length <= maxLength) return text;
    const head = Math.ceil((maxLength - 1) / 2);
    const tail = maxLength - 1 - head;
    const begin = characters
      .slice(0, head)
      .join('')
      .replace(/(?<=\S)\s\S{0,15}$/u, '');
    const end = characters
      .slice(characters.length - tail)
      .join('')
      .replace(/^\S{0,15}\s(?=\S)/u, '');
    return `${begin}…${end}`;
  };
}
