import { createLogos } from '../../documents/labels/logo.js';
import { labelCache } from '../../documents/labels/stored.js';
import { sharedByKey } from '../../lib/limits/shared-by-key.js';
import type { App } from '../app.js';
import { createLabelDocuments } from './label-documents.js';
import { createLabelPrinting } from './label-printing.js';

export type LabelParts = ReturnType<typeof createLabelParts>;

export interface LabelApp {
  labels: LabelParts;
}

/** The state of labels in a process: pages in progress, waiting runs, logos. */
export function createLabelParts(
  app: Pick<
    App<'createWaitMs' | 'baseUrl'>,
    'temporal' | 'stopping' | 'db' | 'carriers' | 'storage' | 'config' | 'wake' | 'onRestored' | 'lostLooks'
  >,
) {
  const logos = createLogos(app.storage, null);
  const cache = labelCache(app.storage);
  return {
    ...app,
    logos,
    documents: createLabelDocuments({ ...app, logos }),
    print: createLabelPrinting(app),
    // Concurrent reads of a document share one buffer.
    cache: { ...cache, read: sharedByKey((hash: string) => cache.read(hash)) },
  };
}
