import { setImmediate as turn } from 'node:timers/promises';
import { type Html, html } from '../../domain/html.js';
import { SLOTS_PER_SHEET } from '../../domain/labels.js';
import { commonFaces, familiesOf, fontFaces, rareFaces } from '../fonts.js';
import { recipient } from './address.js';
import { MODULE_WIDTHS_MM } from './barcodes.js';
import { type Captions, captionsOf } from './captions.js';
import type { Label, LabelDocument } from './document.js';
import type { Block } from './fitted.js';
import {
  badge,
  cancelled,
  cash,
  head,
  packageCell,
  sender,
  senderColumn,
  senderLines,
  trackingCode,
  trackingPage,
  type View,
} from './parts.js';
import { stylesOf } from './styles.js';
import { texts, wantedTextsMm } from './texts.js';

/** Images of the page. `logo`: a `data:` URI, or null. */
export interface Assets {
  logo: string | null;
}

/** The labels of one printed page; null is a blank slot. */
type Sheet = readonly (Label | null)[];

/** Splits the document into pages: one label each on a roll, eight slots on a sheet. */
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
 * Renders a complete HTML page of these sheets with embedded fonts, styles and images. Nothing is fetched or
 * run. Texts are escaped.
 */
export async function renderHtml(
  document: LabelDocument,
  sheets: readonly Sheet[],
  assets: Assets,
): Promise<string> {
  const { language } = captionsOf(document.locale);
  const onSheet = document.type === 'A4';
  const pages = await pagesOf(document, sheets, assets);
  const body = html`<body class="${onSheet ? 'sheet' : 'roll'}">${pages}</body>`.text;
  const logo = assets.logo === null ? '' : `.logo{content:url(${assets.logo})}`;
  return `<!doctype html><html lang="${language}"><head><meta charset="utf-8"><title>${TITLE}</title><style>${fontFaces(body)}${stylesOf(document.type)}${logo}</style></head>${body}</html>`;
}

/** Holds no name: titles are stored in many places. */
const TITLE = 'Labels';

/** Number of documents that can share a browser page. */
export const PLACES = 8;

/** The page that all documents are printed on. It is hidden on screen, so that nothing is drawn twice. */
export function labelFrame(): string {
  const places = Array.from({ length: PLACES }, (_, place) => place);
  const faces = places.map(commonFaces).join('');
  const families = places.map((place) => `.p${place}{font-family:${familiesOf(place)}}`).join('');
  return `<!doctype html><html><head><meta charset="utf-8"><title>${TITLE}</title><style>${faces}${families}@media screen{body{display:none}}body>div~div{break-before:page}</style></head><body></body></html>`;
}

/** Renders sheets for one place of the {@link labelFrame}, with the styles of their type. */
export async function renderInPlace(
  document: LabelDocument,
  { sheets, assets, place }: { sheets: readonly Sheet[]; assets: Assets; place: number },
): Promise<string> {
  const { language } = captionsOf(document.locale);
  const sections = await pagesOf(document, sheets, assets);
  const pages = html`<div class="p${place}" lang="${language}">${sections}</div>`.text;
  const logo = assets.logo === null ? '' : `.p${place} .logo{content:url(${assets.logo})}`;
  return `<style>${rareFaces(pages, place)}${logo}</style>${pages}`;
}

/** Yields between pages: 500 labels take seconds. */
async function pagesOf(document: LabelDocument, sheets: readonly Sheet[], assets: Assets): Promise<Html[]> {
  const captions = captionsOf(document.locale);
  const view = { captions, merchant: document.merchant.name, hasLogo: assets.logo !== null };
  const onSheet = document.type === 'A4';
  const pages: Html[] = [];
  for (const sheet of sheets) {
    const labels = sheet.map((label) =>
      label === null ? null : (onSheet ? sheetLabel : rollLabel)(label, view),
    );
    const slots = onSheet ? labels.map((label) => html`<div class="slot">${label}</div>`) : labels;
    pages.push(html`<section class="page">${slots}</section>`);
    await turn();
  }
  return pages;
}

/** Light space between the tracking code's rule and its bars; five millimeters with the space above the rule. */
const CLEAR_MM = 3.4;
const CODES_RULE_MM = 0.3;
const ABOVE_RULE_MM = 1.3;
/** Millimeters on a page of a roll; the rows follow from them. */
const ROLL = {
  widthMm: 68,
  innerMm: 99.5,
  head: 8,
  /** Of the sender, by number of lines. */
  from: { 2: 5.9, 3: 8.6, 5: 14.4 },
  strip: 8,
  gap: 1,
  qr: 15.5,
  qrWithCaption: 18.2,
} as const;
/** Of a slot on a sheet. */
const SLOT = {
  widthMm: 60,
  innerMm: 64.75,
  head: 7,
  gap: 0.7,
  qr: 12.7,
  least: 7.5,
  sideMm: 30,
} as const;

function rollLabel(label: Label, view: View): Html {
  const { captions } = view;
  const badgeRoom = { widthMm: 24, heightMm: 7.2, largest: 10, smallest: 5.5 };
  const cells = [cash(label, view), packageCell(label, view), badge(label, badgeRoom)];
  const hasStrip = cells.some((cell) => cell !== null);
  const code = trackingCode(label, {
    maxWidthMm: 73,
    heightMm: 13,
    moduleWidthsMm: MODULE_WIDTHS_MM.thermal,
    textWidthMm: ROLL.widthMm,
    dataMatrixMm: 6.8,
    largestPoints: 15,
  });
  const codesMm = CODES_RULE_MM + CLEAR_MM + code.heightMm + ABOVE_RULE_MM - ROLL.gap;
  const fromMm = ROLL.from[senderLines(label)];
  const stripMm = hasStrip ? ROLL.strip + ROLL.gap : 0;
  const sharedMm = ROLL.innerMm - ROLL.head - fromMm - stripMm - codesMm - 4 * ROLL.gap;
  const textRoom = { widthMm: ROLL.widthMm - ROLL.qr - 3, dataMatrixMm: 9 };
  const { to, restMm } = shared(label, captions, {
    widthMm: ROLL.widthMm,
    sharedMm,
    leastMm: ROLL.qrWithCaption,
    textRoom,
  });
  const rows = [ROLL.head, fromMm, to.heightMm, ...(hasStrip ? [ROLL.strip] : []), restMm];
  return html`<article class="label ${label.kind}" dir="${captions.direction}" style="grid-template-rows:${rowsOf(rows)}">
${head(label, view, { merchantMm: 42, carrierMm: 24 })}
${sender(label, view)}
${to.html}
${hasStrip ? html`<div class="strip">${cells}</div>` : null}
<div class="details">${texts(label, captions, { ...textRoom, heightMm: restMm })}${trackingPage(label, view, ROLL.qr)}</div>
<div class="codes">${code.html}</div>
${cancelled(label, view)}</article>`;
}

function sheetLabel(label: Label, view: View): Html {
  const { captions } = view;
  const badgeRoom = { widthMm: 24, heightMm: 7.2, largest: 9, smallest: 5.5 };
  const code = trackingCode(label, {
    // The left light margin is outside the label's frame, the right one before the QR code.
    maxWidthMm: 79,
    heightMm: 9,
    moduleWidthsMm: MODULE_WIDTHS_MM.A4,
    textWidthMm: 72,
    dataMatrixMm: 6.8,
    largestPoints: 12,
  });
  const codesMm = CODES_RULE_MM + CLEAR_MM + code.heightMm + ABOVE_RULE_MM - SLOT.gap;
  const sharedMm = SLOT.innerMm - SLOT.head - codesMm - 3 * SLOT.gap;
  const textRoom = { widthMm: SLOT.widthMm, dataMatrixMm: 9 };
  const { to, restMm } = shared(label, captions, {
    widthMm: SLOT.widthMm,
    sharedMm,
    leastMm: SLOT.least,
    textRoom,
  });
  const side = [
    { html: cash(label, view), takesMm: 9 },
    { html: packageCell(label, view), takesMm: 7 },
    { html: badge(label, badgeRoom), takesMm: 9 },
  ].filter((cell) => cell.html !== null);
  const sideMm = to.heightMm + SLOT.gap + restMm - side.reduce((sum, { takesMm }) => sum + takesMm, 0);
  const from = senderColumn(label, view, { widthMm: SLOT.sideMm, heightMm: sideMm });
  return html`<article class="label ${label.kind}" dir="${captions.direction}" style="grid-template-rows:${rowsOf([SLOT.head, to.heightMm, restMm])}">
${head(label, view, { merchantMm: 60, carrierMm: 30 })}
${to.html}
<div class="side">${side.map((cell) => cell.html)}${from}</div>
<div class="details">${texts(label, captions, { ...textRoom, heightMm: restMm })}</div>
<div class="codes">${code.html}${trackingPage(label, view, SLOT.qr)}</div>
${cancelled(label, view)}</article>`;
}

/** Divides the height between the address, which grows where it can, and the texts. */
function shared(
  label: Label,
  captions: Captions,
  room: { widthMm: number; sharedMm: number; leastMm: number; textRoom: Parameters<typeof wantedTextsMm>[2] },
): { to: Block; restMm: number } {
  const { widthMm, sharedMm, textRoom } = room;
  const wanted = wantedTextsMm(label, captions, textRoom);
  // The symbol is never cut; it may use the label's lower margin.
  const leastMm = Math.max(room.leastMm, wanted.symbolMm);
  const besideMm = (textsMm: number) => sharedMm - Math.max(leastMm, textsMm);
  let to = recipient(label.to, captions, { widthMm, maxMm: besideMm(wanted.usualMm), leastScale: 0.92 });
  // Notes may shrink the address; products may not.
  if (to.heightMm > besideMm(wanted.leastMm)) {
    to = recipient(label.to, captions, { widthMm, maxMm: besideMm(wanted.leastMm), leastScale: 0 });
  }
  return { to, restMm: Math.max(leastMm, sharedMm - to.heightMm) };
}

function rowsOf(heightsMm: readonly number[]): string {
  return [...heightsMm.map((height) => `${height.toFixed(2)}mm`), 'auto'].join(' ');
}
