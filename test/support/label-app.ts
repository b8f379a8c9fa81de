import type { Client } from '@temporalio/client';
import { carrierFor } from '../../src/carriers/registry.js';
import type { Database } from '../../src/db/database.js';
import { createStorage } from '../../src/documents/storage.js';
import { Slots } from '../../src/lib/limits/slots.js';

/** An app that prints labels, without engine and stored documents. */
export function labelApp(db: Database) {
  return {
    db,
    temporal: {} as Client,
    carriers: carrierFor,
    wake: () => undefined,
    onRestored: () => undefined,
    lostLooks: new Slots(),
    storage: createStorage({ kind: 'directory', path: '/nowhere' }),
    config: { createWaitMs: 1000, baseUrl: 'https://x.test' },
  };
}
