import type { CarrierAdapter } from '../../carriers/contract.js';
import type { Database } from '../../db/database.js';

/** What the administrator's use cases work with; each takes only its part. */
export interface AdminApp {
  db: Database;
  /** 32 bytes; keys the hashes of secrets and seals the carriers' ones. */
  appKey: Buffer;
  carriers: readonly CarrierAdapter[];
  /** Public address of the API, without a trailing slash. */
  baseUrl: string;
  /** Ranges (CIDR) that callbacks may reach although they are not public. */
  webhookAllowCidrs: readonly string[];
}
