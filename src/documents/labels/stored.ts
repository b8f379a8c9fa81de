import { isWholePdf } from '../pdf.js';
import type { DocumentStorage } from '../storage.js';

const PDF = 'application/pdf';

/** Store folders of our labels and of the carriers'. */
export const LABELS = 'labels';
export const CARRIER_LABELS = 'carrier-labels';

export type LabelCache = ReturnType<typeof labelCache>;

/**
 * Printed labels in the store by content hash: equal labels are printed once. Incomplete files count as missing.
 */
export function labelCache(storage: DocumentStorage) {
  const keyOf = (hash: string) => `${LABELS}/${hash.slice(0, 2)}/${hash}.pdf`;
  return {
    async read(hash: string): Promise<Buffer | null> {
      const bytes = await storage.read(keyOf(hash));
      return bytes !== null && isWholePdf(bytes) ? bytes : null;
    },
    write: (hash: string, pdf: Buffer): Promise<void> => storage.write(keyOf(hash), pdf, PDF),
  };
}

/** Store key of a carrier's label. */
export function carrierLabelKey(uuid: string): string {
  return `${CARRIER_LABELS}/${uuid.slice(0, 2)}/${uuid}.pdf`;
}
