import { decodeHTMLStrict } from 'entities/decode';

/** What shows nothing, but the two joiners, by which letters and emoji make words. */
const MARKS = /(?![\u200c\u200d])[\p{Default_Ignorable_Code_Point}\ufff9-\ufffb]/gu;
/** Joiners with nothing to join on one side. The first look-behind keeps a long row of them from being read anew at each. */
const LOOSE_JOINERS = /(?<![\u200c\u200d])(?:(?<=^|\s)[\u200c\u200d]+|[\u200c\u200d]+(?=\s|$))/gu;
/** Tags that shops' editors and plugins write. Others are text: `<dana@example.com>`. */
const BREAKS = /<(?:br|hr|\/?(?:p|div|li|ul|ol|tr|table|h[1-6]|blockquote))(?:\s[^<>]*)?\/?>/gi;
const TAGS =
  /<\/?(?:a|b|big|code|del|em|font|i|img|ins|s|small|span|strong|sub|sup|tbody|td|th|thead|u)(?:\s[^<>]*)?\/?>/gi;

/**
 * A text without what nobody sees: direction marks, zero-width spaces, soft hyphens, variation selectors, fillers, byte
 * order marks and the like, and white space around it. Zero-width joiners stay inside words.
 */
export function withoutMarks(text: string): string {
  return text.replace(MARKS, '').replace(LOOSE_JOINERS, '').trim();
}

/**
 * A text for people as it was meant: HTML's entities are decoded, its line breaks and paragraphs are lines, other tags
 * are left out, and so is what {@link withoutMarks} leaves out.
 */
export function wordsOf(text: string): string {
  const untagged = text.includes('<') ? text.replace(BREAKS, '\n').replace(TAGS, '') : text;
  return withoutMarks(untagged.includes('&') ? decodeHTMLStrict(untagged) : untagged);
}
