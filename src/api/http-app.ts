import type { Logger } from 'pino';
import type { LIMITS } from '../lib/limits/values.js';
import { createAccountReader } from '../services/accounts/show-account.js';
import type { ApiParts } from '../services/app.js';
import { createExpress } from '../services/express/express.js';
import { createImportReader } from '../services/imports/reading.js';
import { createLabelParts } from '../services/labels/label-parts.js';
import { createProviderReader } from '../services/panel/provider.js';
import { createRefreshes } from '../services/shipments/refresh-status.js';
import { createBatchBodyReader } from './v2/batches/body-reader.js';

/** The HTTP layer's dependencies, with what the process keeps across calls. */
export interface HttpApp extends ApiParts, ReturnType<typeof createKept> {
  /** Whether the two engines answer now, and the reason if not. */
  readiness: () => Promise<{
    mysql: boolean;
    temporal: boolean;
    reason?: string | null;
    draining?: boolean;
  }>;
  /** Aborted as soon as the process is asked to stop: what lasts only as long as its caller stays then ends. */
  draining?: AbortSignal;
  log: Logger;
  version: string;
  /** Other limits of a request than those of the table. For tests. */
  limits?: Partial<typeof LIMITS.requests>;
  /** Fails an answer that does not match its published schema. For tests and development. */
  checkResponses?: boolean;
}

/** The app of a process's parts, with what it keeps across calls. */
export function createHttpApp<P extends ApiParts>(parts: P) {
  return { ...parts, ...createKept(parts) };
}

function createKept(parts: ApiParts) {
  return {
    labels: createLabelParts(parts),
    express: createExpress(parts),
    refreshes: createRefreshes(),
    showAccount: createAccountReader(parts),
    readImport: createImportReader(),
    readBatchBody: createBatchBodyReader(),
    readProvider: createProviderReader(),
  };
}
