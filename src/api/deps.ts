import type { Logger } from 'pino';
import type { Config } from '../config/config.js';
import type { Database } from '../db/database.js';
import type { Services } from '../services/services.js';

/** What the HTTP layer is given by the process that starts it. */
export interface HttpDeps {
  config: Config;
  db: Database;
  services: Services;
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
