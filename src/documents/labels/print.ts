import { createHash } from 'node:crypto';
import { SLOTS_PER_SHEET } from '../../domain/labels.js';
import { LIMITS } from '../../lib/limits/values.js';
import { isWholePdf, joinPdfs } from '../pdf.js';
import type { DocumentStorage } from '../storage.js';
import type { LabelDocument } from './document.js';
import { type Assets, renderHtml, renderInPlace, sheetsOf } from './html.js';
import type { LabelPress } from './press.js';

const PDF = 'application/pdf';

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

/** Store folders of our labels and of the carriers'. */
export const LABELS = 'labels';
export const CARRIER_LABELS = 'carrier-labels';

/** Printed labels by content hash: equal labels are printed once. */
export interface LabelCache {
  read(hash: string): Promise<Buffer | null>;
  write(hash: string, pdf: Buffer): Promise<void>;
}

/** A cache of printed labels in the store; incomplete files count as missing. */
export function labelCache(storage: DocumentStorage): LabelCache {
  const keyOf = (hash: string) => `${LABELS}/${hash.slice(0, 2)}/${hash}.pdf`;
  return {
    async read(hash) {
      const bytes = await storage.read(keyOf(hash));
      return bytes !== null && isWholePdf(bytes) ? bytes : null;
    },
    write: (hash, pdf) => storage.write(keyOf(hash), pdf, PDF),
  };
}

/** Store key of a carrier's label. */
export function carrierLabelKey(uuid: string): string {
  return `${CARRIER_LABELS}/${uuid.slice(0, 2)}/${uuid}.pdf`;
}
