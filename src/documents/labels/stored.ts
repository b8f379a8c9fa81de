import { isWholePdf } from '../pdf.js';
import type { DocumentStorage } from '../storage.js';

const PDF = 'application/pdf';

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
