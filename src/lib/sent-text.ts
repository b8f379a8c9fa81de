import { decodeHTMLStrict } from 'entities/decode';

/** Invisible characters, except the two joiners that letters and emoji need. */
const MARKS = /(?![\u200c\u200d])[\p{Default_Ignorable_Code_Point}\ufff9-\ufffb]/gu;
/** Joiners at the edge of a word. The first look-behind keeps long runs from taking quadratic time. */
const LOOSE_JOINERS = /(?<![\u200c\u200d])(?:(?<=^|\s)[\u200c\u200d]+|[\u200c\u200d]+(?=\s|$))/gu;
/** Tags from shops' editors and plugins. Others are text: `<dana@example.com>`. */
const BREAKS = /<(?:br|hr|\/?(?:p|div|li|ul|ol|tr|table|h[1-6]|blockquote))(?:\s[^<>]*)?\/?>/gi;
const TAGS =
  /<\/?(?:a|b|big|code|del|em|font|i|img|ins|s|small|span|strong|sub|sup|tbody|td|th|thead|u)(?:\s[^<>]*)?\/?>/gi;

/**
 * Trims a text and removes invisible characters: direction marks, zero-width spaces, soft hyphens, variation
 * selectors, fillers, byte order marks. Zero-width joiners stay inside words.
 */
export function withoutMarks(text: string): string {
  return text.replace(MARKS, '').replace(LOOSE_JOINERS, '').trim();
}

/** Values that look something up, each text as {@link withoutMarks} reads what was stored. */
export function textsWithoutMarks<V>(values: Readonly<Record<string, V>>): Record<string, V | string> {
  return Object.fromEntries(
    Object.entries(values).map(([name, value]) => [
      name,
      typeof value === 'string' ? withoutMarks(value) : value,
    ]),
  );
}

/**
 * A shop's HTML as plain text: decodes entities, turns breaks and paragraphs into lines, drops other tags and
 * what {@link withoutMarks} removes.
 */
export function wordsOf(text: string): string {
  const untagged = text.includes('<') ? text.replace(BREAKS, '\n').replace(TAGS, '') : text;
  return withoutMarks(untagged.includes('&') ? decodeHTMLStrict(untagged) : untagged);
}
