import { createHash } from 'node:crypto';
import { SLOTS_PER_SHEET } from '../../domain/labels.js';
import { joinPdfs } from '../pdf.js';
import type { LabelDocument } from './document.js';
import { type Assets, renderHtml, renderInPlace, sheetsOf } from './html.js';
import type { LabelPress } from './press.js';

const LABELS_OF_PRINT = 104;

/** Prints the labels, in several passes when they are many: the browser's time for each grows with their number. */
export async function printLabels(
  document: LabelDocument,
  assets: Assets,
  press: LabelPress,
): Promise<Buffer> {
  return await joinPdfs(printedParts(document, assets, press));
}

/** While the browser prints a part, the next one is laid out and the one before is joined. */
async function* printedParts(
  document: LabelDocument,
  assets: Assets,
  press: LabelPress,
): AsyncGenerator<Buffer> {
  const sheets = sheetsOf(document);
  const labelsPerSheet = document.type === 'A4' ? SLOTS_PER_SHEET : 1;
  const step = LABELS_OF_PRINT / labelsPerSheet;
  let before: Promise<Buffer> | undefined;
  for (let start = 0; start < sheets.length; start += step) {
    const some = sheets.slice(start, start + step);
    const layOut = (place: number) => renderInPlace(document, { sheets: some, assets, place });
    // Large jobs have the page for themselves, and so its first place. A single part may share it.
    const laidOut = step < sheets.length ? await layOut(0) : null;
    const printed = await before;
    before = press.print({
      type: document.type,
      sheets: some.length,
      labels: some.length * labelsPerSheet,
      inPlace: (place) => (place === 0 && laidOut !== null ? laidOut : layOut(place)),
    });
    // Awaited after the part before is joined.
    before.catch(() => undefined);
    if (printed !== undefined) yield printed;
  }
  if (before !== undefined) yield await before;
}

export async function labelsAsHtml(document: LabelDocument, assets: Assets): Promise<string> {
  return await renderHtml(document, sheetsOf(document), assets);
}

/** Hash of the printed content with the logo (`data:` URI or null): a document without its logo is a different one. */
export function printHash({ hash, merchant }: LabelDocument, logo: string | null): string {
  if (merchant.logo === '') return hash;
  return createHash('sha256')
    .update(`${hash} ${logo ?? ''}`)
    .digest('hex');
}
