import { Html, html } from '../../domain/html.js';
import { moneyText } from '../../domain/money.js';
import { type BarRoom, code128, dataMatrix, qrCode } from './barcodes.js';
import type { Captions } from './captions.js';
import { clean } from './clean.js';
import type { Label } from './document.js';
import { fitted } from './fitted.js';
import { fitSize, linesOf, MM_PER_POINT, type Room } from './text-fit.js';

/** Shared by all labels of a document. */
export interface View {
  captions: Captions;
  merchant: string;
  hasLogo: boolean;
}

/** Maximum characters of the sender's name beside the date, so that it leaves a line for the address. */
const SENDER_NAME = 36;
/** Size of the code's text line. */
const CODE_LINE = 1.2;
const CODE_SPACING = 0.8;

export function head(label: Label, view: View, widths: { merchantMm: number; carrierMm: number }): Html {
  const { captions } = view;
  const { merchantMm, carrierMm } = widths;
  const merchantRoom = { widthMm: merchantMm, heightMm: 6.6, largest: 13, smallest: 6.5 };
  const merchant = view.hasLogo
    ? html`<div class="logo" role="img" aria-label="${view.merchant}"></div>`
    : (fitted('merchant', view.merchant, merchantRoom, captions)?.html ?? null);
  const carrierRoom = { widthMm: carrierMm, heightMm: 6.6, largest: 11, smallest: 6 };
  return html`<header class="head">${merchant}${fitted('carrier', label.carrier, carrierRoom, captions)?.html ?? null}</header>`;
}

/** Lines of {@link sender}: a courier who collects needs the whole name. */
export function senderLines({ kind, from }: Label): 2 | 3 | 5 {
  if (kind === 'delivery') return 2;
  return Array.from(from.name).length > SENDER_NAME ? 5 : 3;
}

/** The sender and the date, small. The phone precedes the address, which may be cut. */
export function sender(label: Label, { captions }: View): Html {
  const { kind, from, date } = label;
  const lines = senderLines(label);
  const name = kind === 'delivery' ? clean(from.name, SENDER_NAME) : from.name;
  const phone = from.phone === null ? null : html`<bdi dir="ltr">${from.phone}</bdi> `;
  return html`<div class="from"><div class="clamp c${lines}"><span class="caption">${captions.from}</span> <b><bdi>${name}</bdi></b><br>${phone}<bdi>${addressOf(from)}</bdi></div><div class="date"><bdi dir="ltr">${date}</bdi></div></div>`;
}

/** {@link sender} as a column: a courier who collects needs all of it. */
export function senderColumn(
  { from, date }: Label,
  { captions }: View,
  room: { widthMm: number; heightMm: number },
): Html {
  const { widthMm } = room;
  const roomMm = room.heightMm - SENDER_LINE * SENDER.largest * MM_PER_POINT;
  const name = columnLines(`${captions.from.toUpperCase()} ${from.name}`, {
    widthMm,
    heightMm: roomMm * 0.55,
  });
  // The address gets the room that the name leaves.
  const address = columnLines(addressOf(from), { widthMm, heightMm: roomMm - name.heightMm });
  const phone = from.phone === null ? null : html`<bdi dir="ltr">${from.phone}</bdi>`;
  return html`<div class="from"><div class="clamp" style="${name.style}"><span class="caption">${captions.from}</span> <b><bdi>${from.name}</bdi></b></div><div class="call">${phone}<span class="date"><bdi dir="ltr">${date}</bdi></span></div><div class="clamp" style="${address.style}"><bdi>${addressOf(from)}</bdi></div></div>`;
}

const SENDER = { largest: 6.5, smallest: 4.5 } as const;
/** Line height in em, as in the style sheet. */
const SENDER_LINE = 1.25;

function columnLines(
  text: string,
  room: { widthMm: number; heightMm: number },
): { style: string; heightMm: number } {
  const size = fitSize(text, { ...room, ...SENDER, heightMm: (room.heightMm * CODE_LINE) / SENDER_LINE });
  const lineMm = size * SENDER_LINE * MM_PER_POINT;
  const fitting = Math.max(1, Math.floor(room.heightMm / lineMm + 0.05));
  const lines = Math.min(fitting, linesOf(text, size, room.widthMm));
  // The estimate is generous; an unused line takes no room.
  return { style: `font-size:${size}pt;-webkit-line-clamp:${fitting}`, heightMm: lines * lineMm };
}

function addressOf({ street, rooms, city }: Label['from']): string {
  return [street, ...rooms, city].filter((part) => part !== '').join(', ');
}

/** Across the whole label, so that nobody sends a cancelled parcel. */
export function cancelled({ isCancelled }: Label, { captions }: View): Html | null {
  return isCancelled === true ? html`<div class="void"><b>${captions.cancelled}</b></div>` : null;
}

/** The amount to collect; on the other packages, the package that it is collected with. */
export function cash(label: Label, { captions }: View): Html | null {
  if (label.cash !== null) {
    return html`<div class="cell solid"><span class="caption">${captions.cash}</span><b><bdi dir="ltr">${moneyText(label.cash)}</bdi></b></div>`;
  }
  if (!label.paidWithFirst) return null;
  return html`<div class="cell"><span class="caption">${captions.paidWith}</span><b><bdi dir="ltr">1/${label.package.of}</bdi></b></div>`;
}

/** The package's number; null for a single package. */
export function packageCell({ package: { number, of } }: Label, { captions }: View): Html | null {
  if (of === 1) return null;
  return html`<div class="cell package"><span class="caption">${captions.package}</span><b><bdi dir="ltr">${number}/${of}</bdi></b></div>`;
}

/** The parcel's special services, white on black. */
export function badge({ badges }: Label, room: Room): Html | null {
  if (badges.length === 0) return null;
  const text = badges.join(' · ');
  return html`<div class="cell badge solid"><b class="clamp c3" style="font-size:${fitSize(text, room)}pt">${badges.map((one, index) => html`${index === 0 ? '' : ' · '}<bdi>${one}</bdi>`)}</b></div>`;
}

/** QR code of the public tracking page. */
export function trackingPage(label: Label, { captions }: View, maxMm: number): Html {
  return html`<div class="qr">${new Html(qrCode(label.trackingUrl, maxMm).svg)}<span class="caption">${captions.track}</span></div>`;
}

/** Room for the carrier's code: bars, with DataMatrix and text below. */
interface CodeRoom extends BarRoom {
  /** Width of DataMatrix and text together. */
  textWidthMm: number;
  dataMatrixMm: number;
  largestPoints: number;
}

/** The carrier's code as bars, DataMatrix and text, which is never cut; only text if neither can hold it. */
export function trackingCode(
  { trackingCode: code }: Label,
  room: CodeRoom,
): { html: Html; heightMm: number } {
  const bars = code128(code, room);
  const matrix = dataMatrix(code, { maxMm: room.dataMatrixMm, leastDots: 3 });
  const widthMm = room.textWidthMm - (matrix === null ? 0 : matrix.widthMm + 2);
  const unspaced = widthMm * CODE_SPACING;
  const line = {
    widthMm: unspaced,
    heightMm: room.largestPoints * CODE_LINE * MM_PER_POINT,
    largest: room.largestPoints,
    smallest: 6,
  };
  const points = fitSize(code, line);
  const textMm = linesOf(code, points, unspaced) * points * CODE_LINE * MM_PER_POINT;
  const svg = (symbol: { svg: string } | null) => (symbol === null ? null : new Html(symbol.svg));
  return {
    html: html`<div class="tracking">${svg(bars)}<div class="human">${svg(matrix)}<span class="code" style="font-size:${points}pt;max-width:${widthMm.toFixed(2)}mm">${code}</span></div></div>`,
    heightMm: room.heightMm + HUMAN_GAP_MM + Math.max(textMm, matrix?.heightMm ?? 0),
  };
}

/** Space below the bars, as in the style sheet. */
const HUMAN_GAP_MM = 0.8;
