import { type Html, html, type Part } from '../../domain/html.js';
import type { Captions } from './captions.js';
import { fitSize, linesOf, MM_PER_POINT, type Room } from './text-fit.js';

/** Line height in em, as in the style sheet: Arabic needs more. */
const LEADING = { en: 1.2, he: 1.2, ar: 1.4 } as const;
/** Scripts as tall as Arabic. */
const TALL = /[\p{Script=Arabic}\p{Script=Thai}\p{Script=Devanagari}\p{Script=Bengali}\p{Script=Tamil}]/u;
/** Space below a fitted text in em, for the descenders. */
const TAIL = 0.12;

/** Markup and its height. */
export interface Block {
  html: Html;
  heightMm: number;
}

/** Height of a line in the label's language, in millimeters. */
export function lineMm(sizePoints: number, { language }: Pick<Captions, 'language'>): number {
  return sizePoints * LEADING[language] * MM_PER_POINT;
}

/** Line height of a text in em. Recipients of a Hebrew merchant may write Arabic, whose dots below must not be cut. */
export function leadingOf(text: string, { language }: Pick<Captions, 'language'>): number {
  return TALL.test(text) ? LEADING.ar : LEADING[language];
}

/** The style of a text whose line height is not that of the label's language. */
export function leadingStyle(text: string, captions: Pick<Captions, 'language'>): string {
  const leading = leadingOf(text, captions);
  return leading === LEADING[captions.language] ? '' : `;line-height:${leading}`;
}

/** Height of lines of a text in millimeters, with the space for the descenders of the last. */
export function linesMm(lines: number, sizePoints: number, leading: number): number {
  return (lines * leading + TAIL) * sizePoints * MM_PER_POINT;
}

/** How many whole lines of a text fit into a height: the inverse of {@link linesMm}. */
export function linesIn(heightMm: number, sizePoints: number, leading: number): number {
  return Math.max(0, Math.floor((heightMm / (sizePoints * MM_PER_POINT) - TAIL) / leading));
}

/**
 * Fits a text into its room. If even the smallest size does not fit, whole lines are cut, or a `whole` text
 * takes more room.
 */
export function fitted(
  name: string,
  text: string,
  room: Room & { whole?: boolean },
  captions: Captions,
): Block | null {
  if (text === '') return null;
  const leading = leadingOf(text, captions);
  const heightMm = (room.heightMm * LEADING.en) / leading;
  const size = fitSize(text, { ...room, heightMm });
  const wanted = linesOf(text, size, room.widthMm);
  const fitting = Math.max(1, Math.floor(heightMm / (size * LEADING.en * MM_PER_POINT) + 0.05));
  const lines = room.whole === true ? Math.max(fitting, wanted) : fitting;
  const used = Math.min(lines, wanted);
  return {
    html: html`<div class="fit ${name}" style="font-size:${size}pt;-webkit-line-clamp:${lines}${leadingStyle(text, captions)}"><bdi>${text}</bdi></div>`,
    heightMm: linesMm(used, size, leading),
  };
}

/** Parts of a line, each with its own direction. */
export function joined(parts: readonly string[]): Part[] {
  return parts.map((part, index) => html`${index === 0 ? '' : ', '}<bdi>${part}</bdi>`);
}
