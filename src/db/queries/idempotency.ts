import type { ApiVersion } from '../../contracts/shipments.js';
import type { Executor } from '../database.js';
import { bytes, int, intOrNull, text, textOrNull } from '../row.js';
import { placeholders } from '../sql.js';

/** What is stored under a key; `status` and `body` are null until the creation has finished. */
export interface StoredKey {
  /** SHA-256 in hex. */
  fingerprint: string;
  shipmentUuid: string;
  status: number | null;
  body: string | null;
}

/** The unexpired row of a key (`keyHash`: SHA-256 in hex); null when there is none. */
export async function findKey(
  db: Executor,
  args: { accountId: number; api: ApiVersion; keyHash: string },
): Promise<StoredKey | null> {
  const [row] = await db.select(
    `SELECT fingerprint, shipment_uuid, response_status, response_body FROM idempotency_keys
     WHERE account_id = ? AND api = ? AND key_hash = ? AND expires_at > NOW(6)`,
    [args.accountId, args.api, Buffer.from(args.keyHash, 'hex')],
  );
  if (row === undefined) return null;
  return {
    fingerprint: bytes(row, 'fingerprint').toString('hex'),
    shipmentUuid: text(row, 'shipment_uuid'),
    status: intOrNull(row, 'response_status'),
    body: textOrNull(row, 'response_body'),
  };
}

/**
 * Deletes up to `limit` expired keys and tells how many. A key whose creation still runs stays, however old: without
 * it the same request would book a second parcel.
 */
export async function deleteExpiredKeys(db: Executor, limit: number): Promise<number> {
  const rows = await db.select(
    `SELECT k.id FROM idempotency_keys k
     LEFT JOIN shipments s ON s.uuid = k.shipment_uuid AND s.state = 'reserved'
     WHERE k.expires_at <= NOW(6) AND s.id IS NULL
     ORDER BY k.expires_at LIMIT ?`,
    [limit],
  );
  if (rows.length === 0) return 0;
  const { affectedRows } = await db.run(
    `DELETE FROM idempotency_keys WHERE id IN (${placeholders(rows.length)}) AND expires_at <= NOW(6)`,
    rows.map((row) => int(row, 'id')),
  );
  return affectedRows;
}
