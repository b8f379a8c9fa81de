import { type Html, html } from '../../domain/html.js';
import { SLOTS_PER_SHEET } from '../../domain/labels.js';
import { fontFaces } from '../fonts.js';
import { captionsOf } from './captions.js';
import type { Label, LabelDocument } from './document.js';
import {
  badge,
  cash,
  head,
  orderCode,
  packageCell,
  recipient,
  sender,
  texts,
  trackingCode,
  trackingPage,
  type View,
} from './parts.js';
import { stylesOf } from './styles.js';

/** What the page shows beside the document's own words. `logo`: a `data:` URI of an image, or null. */
export interface Assets {
  logo: string | null;
}

/** One printable page's labels; null is a blank slot of a sheet. */
export type Sheet = readonly (Label | null)[];

/** The document's labels page by page: one each on a roll, eight slots on a sheet. */
export function sheetsOf(document: LabelDocument): Sheet[] {
  if (document.type === 'thermal') return document.labels.map((label) => [label]);
  const slots = [...Array.from({ length: document.blankSlots }, () => null), ...document.labels];
  const sheets: Sheet[] = [];
  for (let start = 0; start < slots.length; start += SLOTS_PER_SHEET) {
    sheets.push(slots.slice(start, start + SLOTS_PER_SHEET));
  }
  return sheets;
}

/**
 * A whole HTML page of these sheets, with fonts, styles and images inside it: nothing is fetched, nothing is run.
 * Every text of the document is escaped.
 */
export function renderHtml(document: LabelDocument, sheets: readonly Sheet[], assets: Assets): string {
  const captions = captionsOf(document.locale);
  const view = { captions, merchant: document.merchant.name, hasLogo: assets.logo !== null };
  const onSheet = document.type === 'A4';
  const pages = sheets.map((sheet) => {
    const labels = sheet.map((label) =>
      label === null ? null : (onSheet ? sheetLabel : rollLabel)(label, view),
    );
    const slots = onSheet ? labels.map((label) => html`<div class="slot">${label}</div>`) : labels;
    return html`<section class="page">${slots}</section>`;
  });
  const body = html`<body class="${onSheet ? 'sheet' : 'roll'}">${pages}</body>`.text;
  const logo = assets.logo === null ? '' : `.logo{background-image:url(${assets.logo})}`;
  // The title names nobody, since titles are kept in many places.
  return `<!doctype html><html lang="${captions.language}"><head><meta charset="utf-8"><title>Labels</title><style>${fontFaces(body)}${stylesOf(document.type)}${logo}</style></head>${body}</html>`;
}

/** Millimetres of each part follow from the rows and columns in `styles.ts`. */
function rollLabel(label: Label, view: View): Html {
  const badgeRoom = { widthMm: 24, heightMm: 7.2, largest: 10, smallest: 5.5 };
  return html`<article class="label ${label.kind}" dir="${view.captions.direction}">
${head(label, view, { merchantMm: 42, carrierMm: 24 })}
${sender(label.from, view, 'c2')}
${recipient(label.to, view, 67)}
<div class="strip">${cash(label.cash, view)}${packageCell(label, view)}${badge(label, badgeRoom)}</div>
<div class="details">${texts(label, view, { widthMm: 50, lines: label.orderBarcode ? 5 : 7 })}${trackingPage(label, view, 15.5)}</div>
<div class="codes">${orderCode(label, { maxWidthMm: 66, heightMm: 4.6 })}${trackingCode(label, { maxWidthMm: 67, heightMm: 12 })}</div>
</article>`;
}

function sheetLabel(label: Label, view: View): Html {
  const badgeRoom = { widthMm: 24, heightMm: 7.2, largest: 9, smallest: 5.5 };
  const order = orderCode(label, { maxWidthMm: 27, heightMm: 8 });
  const room = { maxWidthMm: order === null ? 74 : 47, heightMm: 10.6 };
  const isShort = isShortAddress(label.to);
  return html`<article class="label ${label.kind}${isShort ? ' short' : ''}" dir="${view.captions.direction}">
${head(label, view, { merchantMm: 60, carrierMm: 30 })}
${recipient(label.to, view, 59)}
<div class="side">${cash(label.cash, view)}${packageCell(label, view)}${badge(label, badgeRoom)}${sender(label.from, view, 'c3')}</div>
<div class="details">${texts(label, view, { widthMm: 58, lines: isShort ? 4 : 3 })}</div>
<div class="codes"><div>${trackingCode(label, room)}</div>${order === null ? null : html`<div>${order}</div>`}${trackingPage(label, view, 12.7)}</div>
</article>`;
}

/** Characters of a street that are sure to fit on one line. */
const SHORT_STREET = 24;

/** Whether an address needs no more than name, street and city: what it leaves is for notes and products. */
function isShortAddress({ company, rooms, street }: Label['to']): boolean {
  return company === null && rooms.length === 0 && street.length <= SHORT_STREET;
}
