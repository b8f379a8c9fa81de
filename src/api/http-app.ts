import type { Logger } from 'pino';
import type { LIMITS } from '../lib/limits/values.js';
import type { ApiApp } from '../services/app.js';

/** The HTTP layer's dependencies, from the process that starts it. */
export interface HttpApp extends ApiApp {
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
