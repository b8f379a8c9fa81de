import { createHash } from 'node:crypto';
import { SLOTS_PER_SHEET } from '../../domain/labels.js';
import { LIMITS } from '../../lib/limits/values.js';
import { joinPdfs } from '../pdf.js';
import type { LabelDocument } from './document.js';
import { type Assets, renderHtml, renderInPlace, sheetsOf } from './html.js';
import type { LabelPress } from './press.js';

/** Prints the labels, in several passes when they are many. */
export async function printLabels(
  document: LabelDocument,
  assets: Assets,
  press: LabelPress,
): Promise<Buffer> {
  const sheets = sheetsOf(document);
  const labelsPerSheet = document.type === 'A4' ? SLOTS_PER_SHEET : 1;
  const step = LIMITS.labels.ofPrint / labelsPerSheet;
  const parts: Buffer[] = [];
  for (let start = 0; start < sheets.length; start += step) {
    const some = sheets.slice(start, start + step);
    parts.push(
      await press.print({
        type: document.type,
        sheets: some.length,
        labels: some.length * labelsPerSheet,
        inPlace: (place) => renderInPlace(document, { sheets: some, assets, place }),
      }),
    );
  }
  return await joinPdfs(parts);
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
