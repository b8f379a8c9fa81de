import { type Html, html, type Part } from '../../domain/html.js';
import type { Captions } from './captions.js';
import { fitSize, linesOf, MM_PER_POINT, type Room } from './text-fit.js';

/** A line's height in parts of its size, as the style sheet has it: Arabic reaches further above and below. */
const LEADING = { en: 1.2, he: 1.2, ar: 1.4 } as const;
/** Scripts that reach as far as Arabic does. */
const TALL = /[\p{Script=Arabic}\p{Script=Thai}\p{Script=Devanagari}\p{Script=Bengali}\p{Script=Tamil}]/u;
/** Below a fitted text, in parts of its size: the tails of its letters are not cut. */
export const TAIL = 0.12;

/** Markup, and the height that it takes. */
export interface Block {
  html: Html;
  heightMm: number;
}

/** Height of a line of this size in millimetres. */
export function lineMm(sizePoints: number, { language }: Pick<Captions, 'language'>): number {
  return sizePoints * LEADING[language] * MM_PER_POINT;
}

/**
 * A text at the size at which it keeps to its room. Where even the smallest does not, it is cut by whole lines, or takes
 * more room if it must be `whole`.
 */
export function fitted(
  name: string,
  text: string,
  room: Room & { whole?: boolean },
  captions: Captions,
): Block | null {
  if (text === '') return null;
  // A merchant who writes Hebrew has recipients who write Arabic: the dots below their letters are not cut.
  const isForeign = captions.language !== 'ar' && TALL.test(text);
  const leading = isForeign ? LEADING.ar : LEADING[captions.language];
  const heightMm = (room.heightMm * LEADING.en) / leading;
  const size = fitSize(text, { ...room, heightMm });
  const wanted = linesOf(text, size, room.widthMm);
  const fitting = Math.max(1, Math.floor(heightMm / (size * LEADING.en * MM_PER_POINT) + 0.05));
  const lines = room.whole === true ? Math.max(fitting, wanted) : fitting;
  const used = Math.min(lines, wanted);
  return {
    html: html`<div class="fit ${name}" style="font-size:${size}pt;-webkit-line-clamp:${lines}${isForeign ? `;line-height:${leading}` : ''}"><bdi>${text}</bdi></div>`,
    heightMm: (used * leading + TAIL) * size * MM_PER_POINT,
  };
}

/** Parts of a line, each in a direction of its own. */
export function joined(parts: readonly string[]): Part[] {
  return parts.map((part, index) => html`${index === 0 ? '' : ', '}<bdi>${part}</bdi>`);
}
