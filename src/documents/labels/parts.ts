import { Html, html, type Part } from '../../domain/html.js';
import type { Money } from '../../domain/shipment.js';
import { code128, qrCode } from './barcodes.js';
import type { Captions } from './captions.js';
import { clean } from './clean.js';
import type { Label, Party, Product } from './document.js';
import { fitSize, linesOf, MM_PER_POINT, type Room } from './text-fit.js';

/** What the parts of every label of a document share. */
export interface View {
  captions: Captions;
  merchant: string;
  hasLogo: boolean;
}

/** A line's height in parts of its size, as the style sheet has it: Arabic reaches further above and below. */
const LEADING = { en: 1.2, he: 1.2, ar: 1.4 } as const;
/** Characters of a sender's name, so that the address below it has its line. */
const SENDER_NAME = { c2: 40, c3: 24 } as const;
/** Size in points of notes and products. */
const SMALL = 6.5;

/** Merchant and carrier. */
export function head(label: Label, view: View, widths: { merchantMm: number; carrierMm: number }): Html {
  const merchant = view.hasLogo
    ? html`<div class="logo" role="img" aria-label="${view.merchant}"></div>`
    : fitted(
        'merchant',
        view.merchant,
        {
          widthMm: widths.merchantMm,
          heightMm: 6.6,
          largest: 13,
          smallest: 6.5,
        },
        view,
      );
  const carrier = fitted(
    'carrier',
    label.carrier,
    {
      widthMm: widths.carrierMm,
      heightMm: 6.6,
      largest: 11,
      smallest: 6,
    },
    view,
  );
  return html`<header class="head">${merchant}${carrier}</header>`;
}

/** The sender, small. */
export function sender(party: Party, { captions }: View, lines: 'c2' | 'c3'): Html {
  const address = [party.street, party.city].filter((part) => part !== '');
  const phone = party.phone === null ? null : html` <bdi dir="ltr">${party.phone}</bdi>`;
  return html`<div class="from"><div class="clamp ${lines}"><span class="caption">${captions.from}</span> <b><bdi>${clean(party.name, SENDER_NAME[lines])}</bdi></b><br>${joined(address)}${phone}</div></div>`;
}

/** The recipient, as large as the room lets it be; the city is what a courier sorts by, so it is never cut. */
export function recipient(party: Party, view: View, widthMm: number): Html {
  const { captions } = view;
  const phone =
    party.phone === null
      ? null
      : html`<span><span class="caption">${captions.phone}</span> <bdi class="phone" dir="ltr">${party.phone}</bdi></span>`;
  const company =
    party.company === null ? null : html`<div class="line clamp c1"><bdi>${party.company}</bdi></div>`;
  const address = street(party, view, widthMm);
  const isTight = company !== null && (address.isLong || captions.language === 'ar');
  const name = fitted(
    'name',
    party.name,
    { widthMm, heightMm: isTight ? 6 : 7, largest: 16, smallest: 7 },
    view,
  );
  const city = fitted(
    'city',
    party.city,
    { widthMm, heightMm: isTight ? 5 : 6, largest: 14, smallest: 5.5 },
    view,
  );
  return html`<div class="to"><div class="top"><span class="caption">${captions.to}</span>${phone}</div>${name}${company}${address.lines}${city}</div>`;
}

/** The street on a line of its own with the rooms below, or both in one text where the street is long. */
function street(party: Party, view: View, widthMm: number): { lines: Html | null; isLong: boolean } {
  const { rooms } = party;
  const text = [party.street, ...rooms].filter((part) => part !== '').join(', ');
  if (text === '') return { lines: null, isLong: false };
  const line = { widthMm, heightMm: 4.8, largest: 11, smallest: 8.5 };
  const size = fitSize(party.street, line);
  if (linesOf(party.street, size, widthMm) > 1) {
    const room = { widthMm, heightMm: 8.4, largest: 9.5, smallest: 6 };
    return { lines: fitted('street', text, room, view), isLong: true };
  }
  const below = rooms.length === 0 ? null : html`<div class="line clamp c1">${joined(rooms)}</div>`;
  return { lines: html`${fitted('street', party.street, line, view)}${below}`, isLong: false };
}

/** The sum that the courier collects. */
export function cash(amount: Money | null, { captions }: View): Html | null {
  if (amount === null) return null;
  return html`<div class="cell solid"><span class="caption">${captions.cash}</span><b><bdi dir="ltr">${moneyText(amount)}</bdi></b></div>`;
}

/** Which of the packages this is. */
export function packageCell({ package: { number, of } }: Label, { captions }: View): Html {
  return html`<div class="cell"><span class="caption">${captions.package}</span><b><bdi dir="ltr">${number}/${of}</bdi></b></div>`;
}

/** What is special about the parcel, white on black. */
export function badge({ badges }: Label, room: Room): Html | null {
  if (badges.length === 0) return null;
  const text = badges.join(' · ');
  return html`<div class="cell badge solid"><b class="clamp c3" style="font-size:${fitSize(text, room)}pt">${badges.map((one, index) => html`${index === 0 ? '' : ' · '}<bdi>${one}</bdi>`)}</b></div>`;
}

/** Order, shelf, notes and products, in as many whole lines as there is room for. */
export function texts(label: Label, { captions }: View, room: { widthMm: number; lines: number }): Html {
  const shelf =
    label.shelf === null
      ? null
      : html`<div class="shelf"><span class="caption">${captions.shelf}</span> <bdi>${label.shelf}</bdi></div>`;
  const first = html`<div class="first"><div class="order"><span class="caption">${captions.order}</span> <bdi>${label.orderNumber}</bdi></div>${shelf}</div>`;
  let left = room.lines;
  let notes: Html | null = null;
  if (label.notes.length > 0 && left > 0) {
    const needed = linesOf(`${captions.note}: ${label.notes.join(', ')}`, SMALL, room.widthMm);
    const lines = Math.min(needed, label.products.length > 0 ? Math.max(1, Math.floor(left / 2)) : left);
    left -= lines;
    notes = html`<div class="notes clamp" style="-webkit-line-clamp:${lines}"><span class="caption">${captions.note}</span> ${joined(label.notes)}</div>`;
  }
  return html`<div class="texts">${first}${notes}${products(label, room.widthMm, left, notes !== null)}</div>`;
}

function products(label: Label, widthMm: number, lines: number, after: boolean): Html | null {
  const shown: Html[] = [];
  let left = lines;
  for (const [index, one] of label.products.entries()) {
    const needed = Math.min(2, linesOf(`${one.quantity}× ${one.text} [${one.sku ?? ''}]`, SMALL, widthMm));
    const others = label.products.length - index - 1;
    if (needed + (others > 0 ? 1 : 0) > left) {
      if (left > 0) shown.push(html`<li><bdi dir="ltr">+ ${others + 1}</bdi> …</li>`);
      break;
    }
    left -= needed;
    shown.push(product(one, label.productsBold, needed));
  }
  if (shown.length === 0) return null;
  return html`<ul class="products${after ? ' after' : ''}">${shown}</ul>`;
}

function product({ quantity, text, sku }: Product, bold: boolean, lines: number): Html {
  const count = html`<bdi dir="ltr">${quantity}×</bdi>`;
  const code = sku === null ? null : html`<bdi dir="ltr">[${sku}]</bdi>`;
  const strong = (part: Html | null) => (part === null || !bold ? part : html`<b>${part}</b>`);
  return html`<li class="clamp" style="-webkit-line-clamp:${lines}">${strong(count)} <bdi>${text}</bdi> ${strong(code)}</li>`;
}

/** The way to the public tracking page. */
export function trackingPage(label: Label, { captions }: View, maxMm: number): Html {
  return html`<div class="qr">${new Html(qrCode(label.trackingUrl, maxMm).svg)}<span class="caption">${captions.track}</span></div>`;
}

/** The carrier's code as bars and as text; as text alone where bars cannot hold it. */
export function trackingCode(label: Label, size: { maxWidthMm: number; heightMm: number }): Html {
  const symbol = code128(label.trackingCode, size);
  const points = fitSize(label.trackingCode, {
    widthMm: size.maxWidthMm * 0.75,
    heightMm: 4.8,
    largest: 11,
    smallest: 5,
  });
  return html`${symbol === null ? null : new Html(symbol.svg)}<div class="code" style="font-size:${points}pt">${label.trackingCode}</div>`;
}

/** The order's number as bars, where the account wants it. */
export function orderCode(label: Label, size: { maxWidthMm: number; heightMm: number }): Html | null {
  const symbol = label.orderBarcode ? code128(label.orderNumber, size) : null;
  if (symbol === null) return null;
  return html`${new Html(symbol.svg)}<div class="small-code">${label.orderNumber}</div>`;
}

/** A text at the size at which it keeps to its room, cut by whole lines where even the smallest does not. */
function fitted(name: string, text: string, room: Room, { captions }: View): Html | null {
  if (text === '') return null;
  const leading = LEADING[captions.language];
  const heightMm = (room.heightMm * LEADING.en) / leading;
  const size = fitSize(text, { ...room, heightMm });
  const lines = Math.max(1, Math.floor(heightMm / (size * LEADING.en * MM_PER_POINT) + 0.05));
  return html`<div class="fit ${name}" style="font-size:${size}pt;-webkit-line-clamp:${lines}"><bdi>${text}</bdi></div>`;
}

/** Parts of a line, each in a direction of its own. */
function joined(parts: readonly string[]): Part[] {
  return parts.map((part, index) => html`${index === 0 ? '' : ', '}<bdi>${part}</bdi>`);
}

const SIGNS: Readonly<Record<string, string>> = { ILS: '₪', USD: '$', EUR: '€', GBP: '£' };

function moneyText({ amount, currency }: Money): string {
  const sign = SIGNS[currency];
  return sign === undefined ? `${amount} ${currency}` : `${sign}${amount}`;
}
