import type { Logger } from 'pino';
import type { ApiApp } from '../services/app.js';

/** What the HTTP layer is given by the process that starts it. */
export interface HttpApp extends ApiApp {
  /** Whether the two engines answer now, and why not. */
  readiness: () => Promise<{
    mysql: boolean;
    temporal: boolean;
    reason?: string | null;
    draining?: boolean;
  }>;
  log: Logger;
  version: string;
  /** Fails an answer that does not match its published schema. For tests and development. */
  checkResponses?: boolean;
}
