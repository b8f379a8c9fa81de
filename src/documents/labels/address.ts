import { type Html, html } from '../../domain/html.js';
import type { Captions } from './captions.js';
import { type Block, fitted, joined, leadingOf, leadingStyle, linesMm } from './fitted.js';
import type { Party } from './parties.js';
import { fitSize, linesOf } from './text-fit.js';

/** Largest first. */
const SCALES = [1.5, 1.4, 1.3, 1.2, 1.1, 1, 0.92, 0.85, 0.76, 0.68] as const;
const TOP_MM = 4.3;

/**
 * The recipient, as large as `maxMm` allows. The city is never cut: couriers sort by it. An address that is too
 * long at `leastScale` takes more than `maxMm`.
 */
export function recipient(
  party: Party,
  captions: Captions,
  room: { widthMm: number; maxMm: number; leastScale: number },
): Block {
  let block = recipientAt(party, captions, room.widthMm, SCALES[0]);
  for (const scale of SCALES.slice(1)) {
    if (block.heightMm <= room.maxMm || scale < room.leastScale) break;
    block = recipientAt(party, captions, room.widthMm, scale);
  }
  return block;
}

function recipientAt(party: Party, captions: Captions, widthMm: number, scale: number): Block {
  const lines = addressLines(party, captions, widthMm, scale);
  const isTight = party.company !== null && (lines.isLong || captions.language === 'ar');
  // A text that needs two lines needs them at every scale.
  const grown = Math.max(1, scale);
  const large = (
    name: string,
    text: string,
    size: { heightMm: number; largest: number; smallest: number; whole?: boolean },
  ) =>
    fitted(
      name,
      text,
      {
        widthMm,
        heightMm: size.heightMm * grown,
        largest: half(size.largest * scale),
        smallest: size.smallest,
        whole: size.whole === true,
      },
      captions,
    );
  const name = large('name', party.name, {
    heightMm: isTight ? 6 : 7,
    largest: 16,
    smallest: 7,
    whole: true,
  });
  const city = large('city', party.city, {
    heightMm: isTight ? 5 : 6,
    largest: 14,
    // Several lines are better than letters too small to read.
    smallest: half(8 * Math.min(1, scale)),
    whole: true,
  });
  const company = large('company', party.company ?? '', { heightMm: 3.4, largest: 8, smallest: 6 });
  const blocks = [name, company, ...lines.blocks, city].filter((block) => block !== null);
  return {
    html: html`<div class="to">${top(party, captions)}${blocks.map((block) => block.html)}</div>`,
    heightMm: blocks.reduce((sum, block) => sum + block.heightMm, TOP_MM),
  };
}

function top({ phone }: Party, captions: Captions): Html {
  const number =
    phone === null
      ? null
      : html`<span><span class="caption">${captions.phone}</span> <bdi class="phone" dir="ltr">${phone}</bdi></span>`;
  return html`<div class="top"><span class="caption">${captions.to}</span>${number}</div>`;
}

/** The street on one line with the rooms below, or both as one text when the street is long. */
function addressLines(
  { street, rooms }: Party,
  captions: Captions,
  widthMm: number,
  scale: number,
): { blocks: (Block | null)[]; isLong: boolean } {
  const text = [street, ...rooms].filter((part) => part !== '').join(', ');
  if (text === '') return { blocks: [], isLong: false };
  const line = { widthMm, heightMm: 4.8 * scale, largest: half(11 * scale), smallest: half(8.5 * scale) };
  const size = fitSize(street, line);
  const areRoomsLong = linesOf(rooms.join(', '), half(8 * scale), widthMm) > 1;
  if (areRoomsLong || linesOf(street, size, widthMm) > 1) {
    const room = { widthMm, heightMm: 8.4 * scale, largest: half(9.5 * scale), smallest: 6, whole: true };
    return { blocks: [fitted('street', text, room, captions)], isLong: true };
  }
  const below = rooms.length === 0 ? null : roomLine(rooms, captions, half(8 * scale));
  return { blocks: [fitted('street', street, line, captions), below], isLong: false };
}

function roomLine(rooms: readonly string[], captions: Captions, size: number): Block {
  const text = rooms.join('');
  return {
    html: html`<div class="line clamp c1" style="font-size:${size}pt${leadingStyle(text, captions)}">${joined(rooms)}</div>`,
    heightMm: linesMm(1, size, leadingOf(text, captions)),
  };
}

/** Text sizes are halves of a point. */
function half(size: number): number {
  return Math.round(size * 2) / 2;
}
