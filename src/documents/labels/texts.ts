import { Html, html } from '../../domain/html.js';
import { dataMatrix } from './barcodes.js';
import type { Captions } from './captions.js';
import { middleCutter } from './clean.js';
import type { Label, Product } from './document.js';
import { joined, leadingOf, leadingStyle, lineMm, linesIn, linesMm } from './fitted.js';
import { fitSize, linesOf, widthMmOf } from './text-fit.js';

/** Sizes in points. */
const ORDER = { largest: 10, smallest: 6.5 } as const;
const NOTE = { largest: 9, usual: 7, small: 6, smallest: 5.5 } as const;
const PRODUCT = 6.5;
const SHELF = 8;
/** Space below the order, as in the style sheet. */
const ORDER_GAP_MM = 0.5;
const DATA_MATRIX_GAP_MM = 2;
/** Rule and margin between notes and products, as in the style sheet. */
const LIST_RULE_MM = 0.5;
/** Frame and margin of the shelf. */
const SHELF_FRAME_MM = 4.5;
const SHELF_HEIGHT_MM = 4.2;

/**
 * Heights of the texts: with all products and notes at usual size, and with only order and small notes.
 * `dataMatrixMm`: maximum side of the order's symbol.
 */
export function wantedTextsMm(
  label: Label,
  captions: Captions,
  room: { widthMm: number; dataMatrixMm: number },
): { usualMm: number; leastMm: number; symbolMm: number } {
  const symbol = orderSymbol(label, room.dataMatrixMm);
  const widthMm = room.widthMm - symbol.takenMm;
  const note = noteText(label, captions);
  const notesMm = (size: number) =>
    label.notes.length === 0 ? 0 : linesMm(linesOf(note, size, widthMm), size, leadingOf(note, captions));
  const heightsMm = label.products.map((one) => sizeOf(one, widthMm, captions).heightMm);
  const listMm = heightsMm.reduce((sum, heightMm) => sum + heightMm, LIST_RULE_MM);
  const productsMm = label.products.length === 0 ? 0 : listMm;
  const orderMm = orderLine(label, captions, widthMm).heightMm;
  return {
    symbolMm: symbol.sideMm,
    usualMm: Math.max(symbol.sideMm, orderMm + notesMm(NOTE.usual) + productsMm),
    leastMm: Math.max(symbol.sideMm, orderMm + notesMm(NOTE.small)),
  };
}

/**
 * Order, shelf, notes and products in as many whole lines as fit. Notes come before products, and shrink before
 * their middle is cut.
 */
export function texts(
  label: Label,
  captions: Captions,
  room: { widthMm: number; heightMm: number; dataMatrixMm: number },
): Html {
  const symbol = orderSymbol(label, room.dataMatrixMm);
  const widthMm = room.widthMm - symbol.takenMm;
  const order = orderLine(label, captions, widthMm);
  const leftMm = room.heightMm - order.heightMm;
  const note = noteBlock(label, captions, { widthMm, heightMm: leftMm });
  const list = products(label, captions, {
    widthMm,
    heightMm: leftMm - note.heightMm,
    isAfter: note.html !== null,
  });
  return html`${symbol.html}<div class="texts">${order.html}${note.html}${list}</div>`;
}

/** The order number as DataMatrix, for accounts that want it. */
function orderSymbol(label: Label, maxMm: number): { html: Html | null; sideMm: number; takenMm: number } {
  const symbol = label.orderBarcode ? dataMatrix(label.orderNumber, { maxMm, leastDots: 2 }) : null;
  if (symbol === null) return { html: null, sideMm: 0, takenMm: 0 };
  return {
    html: html`<div class="matrix">${new Html(symbol.svg)}</div>`,
    sideMm: symbol.heightMm,
    takenMm: symbol.widthMm + DATA_MATRIX_GAP_MM,
  };
}

/** The order number on one line, or two when long; its ends are never cut. */
function orderLine(label: Label, captions: Captions, widthMm: number): { html: Html; heightMm: number } {
  const shelf =
    label.shelf === null
      ? null
      : html`<span class="shelf"><span class="caption">${captions.shelf}</span> <bdi>${label.shelf}</bdi></span>`;
  const shelfMm =
    label.shelf === null ? 0 : SHELF_FRAME_MM + widthMmOf(`${captions.shelf} ${label.shelf}`, SHELF);
  const text = `${captions.order} ${label.orderNumber}`;
  const besideMm = widthMm - shelfMm;
  const heightMm = lineMm(ORDER.largest, captions);
  const size = besideMm > 0 ? fitSize(text, { widthMm: besideMm, heightMm, ...ORDER }) : ORDER.smallest;
  const isOne = besideMm > 0 && linesOf(text, size, besideMm) === 1;
  // On two lines the shelf follows the number.
  const room = { size, widthMm: 2 * widthMm - shelfMm, lines: 1 };
  const number = isOne ? label.orderNumber : cutToLines(label.orderNumber, `${captions.order} `, room);
  const shelfLineMm = label.shelf === null ? 0 : SHELF_HEIGHT_MM;
  return {
    html: html`<div class="first${isOne ? ' one' : ''}"><span class="order" style="font-size:${size}pt"><span class="caption">${captions.order}</span> <bdi>${number}</bdi></span> ${shelf}</div>`,
    heightMm:
      Math.max(shelfLineMm, lineMm(size, captions)) + (isOne ? 0 : lineMm(size, captions)) + ORDER_GAP_MM,
  };
}

/** Cuts the middle of a text until it fits. */
function cutToLines(
  text: string,
  before: string,
  room: { size: number; widthMm: number; lines: number },
): string {
  const cut = middleCutter(text);
  let fits = 1;
  let over = Array.from(text).length + 1;
  while (over - fits > 1) {
    const length = Math.floor((fits + over) / 2);
    if (linesOf(before + cut(length), room.size, room.widthMm) <= room.lines) fits = length;
    else over = length;
  }
  return cut(fits);
}

function noteText({ notes }: Label, captions: Captions): string {
  return `${captions.note.toUpperCase()} ${notes.join(', ')}`;
}

function noteBlock(
  label: Label,
  captions: Captions,
  room: { widthMm: number; heightMm: number },
): { html: Html | null; heightMm: number } {
  if (label.notes.length === 0) return { html: null, heightMm: 0 };
  const text = noteText(label, captions);
  // While the note has its usual size, products keep a line below; smaller notes come first.
  const productsMm = label.products.length === 0 ? 0 : LIST_RULE_MM + moreMm(captions);
  const leading = leadingOf(text, captions);
  const roomMm = (size: number) => room.heightMm - (size > NOTE.small ? productsMm : 0);
  const linesAt = (size: number) => linesIn(roomMm(size), size, leading);
  let size: number = NOTE.largest;
  while (size > NOTE.smallest && linesOf(text, size, room.widthMm) > linesAt(size)) size -= 0.5;
  const lines = Math.max(1, linesAt(size));
  const used = Math.min(lines, linesOf(text, size, room.widthMm));
  const notes = notesInLines(label, captions, { size, widthMm: room.widthMm, lines });
  return {
    html: html`<div class="notes clamp" style="font-size:${size}pt;-webkit-line-clamp:${lines}${leadingStyle(text, captions)}"><span class="caption">${captions.note}</span> ${joined(notes)}</div>`,
    heightMm: linesMm(used, size, leading),
  };
}

/** Cuts the notes' middles until all fit. */
function notesInLines(
  { notes }: Label,
  captions: Captions,
  room: { size: number; widthMm: number; lines: number },
): string[] {
  const fits = (some: readonly string[]) =>
    linesOf(`${captions.note.toUpperCase()} ${some.join(', ')}`, room.size, room.widthMm) <= room.lines;
  const cuts = notes.map(middleCutter);
  let shown = [...notes];
  for (let length = Math.max(...notes.map(({ length }) => length)); !fits(shown) && length > 8; length -= 4) {
    shown = cuts.map((cut) => cut(length));
  }
  return shown;
}

/** As many products as fit in whole lines, and how many more there are. */
function products(
  label: Label,
  captions: Captions,
  room: { widthMm: number; heightMm: number; isAfter: boolean },
): Html | null {
  const shown: Html[] = [];
  const all = label.products.length + (label.moreProducts ?? 0);
  let leftMm = room.heightMm - (room.isAfter ? LIST_RULE_MM : 0);
  for (const [index, one] of label.products.entries()) {
    const { lines, heightMm } = sizeOf(one, room.widthMm, captions);
    const othersMm = index + 1 < all ? moreMm(captions) : 0;
    if (heightMm + othersMm > leftMm) break;
    leftMm -= heightMm;
    shown.push(productLine(one, lines, label.productsBold, captions));
  }
  if (shown.length < all && leftMm >= moreMm(captions)) {
    shown.push(html`<li>${captions.more(all - shown.length)}</li>`);
  }
  if (shown.length === 0) return null;
  return html`<ul class="products${room.isAfter ? ' after' : ''}">${shown}</ul>`;
}

/** Height of the line that counts the products that do not fit. */
function moreMm(captions: Captions): number {
  return linesMm(1, PRODUCT, leadingOf('', captions));
}

function sizeOf({ quantity, text, sku }: Product, widthMm: number, captions: Captions) {
  const lines = Math.min(2, linesOf(`${quantity}× ${text} [${sku ?? ''}]`, PRODUCT, widthMm));
  return { lines, heightMm: linesMm(lines, PRODUCT, leadingOf(text, captions)) };
}

function productLine(
  { quantity, text, sku }: Product,
  lines: number,
  bold: boolean,
  captions: Captions,
): Html {
  const count = html`<bdi dir="ltr">${quantity}×</bdi>`;
  const code = sku === null ? null : html`<bdi dir="ltr">[${sku}]</bdi>`;
  const strong = (part: Html | null) => (part === null || !bold ? part : html`<b>${part}</b>`);
  return html`<li class="clamp" style="-webkit-line-clamp:${lines}${leadingStyle(text, captions)}">${strong(count)} <bdi>${text}</bdi> ${strong(code)}</li>`;
}
