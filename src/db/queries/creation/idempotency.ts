import type { IdempotencyRef, StoredAnswer } from '../../../contracts/create-shipment.js';
import { isoToSql } from '../../../lib/time.js';
import type { Executor, SqlValue } from '../../database.js';
import { bool } from '../../row.js';
import { expression, type Selected, shape } from '../../selection.js';
import { placeholders } from '../../sql.js';
import { idempotencyKeys } from '../../tables/index.js';

const k = idempotencyKeys.as('k');
const STORED = shape({
  /** SHA-256 in hex. */
  fingerprint: k.fingerprint.map((hash) => hash.toString('hex')),
  shipmentUuid: k.shipmentUuid,
  status: k.responseStatus,
  body: k.responseBody,
});

/** The row of a key; `status` and `body` are null until the creation ends. */
type StoredKey = Selected<typeof STORED>;

/** The key's shipment; undefined for a batch, the only answer with 202. */
export function shipmentOfKey({ status, shipmentUuid }: StoredKey): string | undefined {
  return status === 202 ? undefined : shipmentUuid;
}

const ITS_KEY = `${k.accountId} = ? AND ${k.api} = ? AND ${k.keyHash} = ?`;

/** Whether the answer of a key `k` has expired: by age, or because something that it made has since ended. */
function isOver({ freesBefore }: Pick<IdempotencyRef, 'freesBefore'>): { sql: string; params: SqlValue[] } {
  if (freesBefore === undefined) return { sql: 'k.expires_at <= NOW(6)', params: [] };
  const at = isoToSql(freesBefore);
  const isGone = `s.state = 'created' AND s.is_active = FALSE AND s.created_at < ?`;
  return {
    sql: `(k.expires_at <= NOW(6)
      OR EXISTS (SELECT 1 FROM shipments s WHERE s.uuid = k.shipment_uuid AND ${isGone})
      OR EXISTS (SELECT 1 FROM batches b JOIN batch_items i ON i.batch_id = b.id
        JOIN shipments s ON s.uuid = i.shipment_uuid WHERE b.uuid = k.shipment_uuid AND ${isGone}))`,
    params: [at, at],
  };
}

/** A key to take, and its owner. */
interface NewKey {
  accountId: number;
  idempotency: IdempotencyRef;
  /** Uuid of its shipment or batch. */
  uuid: string;
  /** Its answer from now on, where that is known already. `at`: ISO 8601 UTC. */
  answer?: { status: number; body: string; at: string };
}

/** Takes the key, also one whose answer has expired. Undefined when taken now; else its row, locked. */
export async function takeKey(tx: Executor, key: NewKey): Promise<StoredKey | undefined> {
  if (await insertKey(tx, key)) return undefined;
  const over = isOver(key.idempotency);
  const taken = shape({ stored: STORED, id: k.id, isOver: expression(over.sql, bool) });
  const found = await taken.first(tx, `FROM idempotency_keys k WHERE ${ITS_KEY} FOR UPDATE`, [
    ...over.params,
    ...ownerOf(key.accountId, key.idempotency),
  ]);
  if (found === null) throw new Error('a key is taken, but its row is not there');
  if (found.stored.status === null || !found.isOver) return found.stored;
  await tx.run('DELETE FROM idempotency_keys WHERE id = ?', [found.id]);
  if (!(await insertKey(tx, key))) throw new Error('a key was taken while its row was locked');
  return undefined;
}

/**
 * False when the key is taken; its row is then locked. A failed INSERT would leave a shared lock, and requests that
 * then lock the row to read it would deadlock.
 */
async function insertKey(tx: Executor, { accountId, idempotency, uuid, answer }: NewKey): Promise<boolean> {
  const { affectedRows } = await tx.run(
    `INSERT INTO idempotency_keys (account_id, api, key_hash, fingerprint, shipment_uuid, response_status,
       response_body, finished_at, expires_at)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?, NOW(6) + INTERVAL ? SECOND)
     ON DUPLICATE KEY UPDATE id = id`,
    [
      ...ownerOf(accountId, idempotency),
      Buffer.from(idempotency.fingerprint, 'hex'),
      uuid,
      answer?.status ?? null,
      answer?.body ?? null,
      answer === undefined ? null : isoToSql(answer.at),
      idempotency.keepForSeconds,
    ],
  );
  return affectedRows > 0;
}

/** The row of a key (`keyHash`: SHA-256 in hex) whose creation is open or whose answer is valid; else null. */
export async function findKey(
  db: Executor,
  args: { accountId: number } & Pick<IdempotencyRef, 'api' | 'keyHash' | 'freesBefore'>,
): Promise<StoredKey | null> {
  const over = isOver(args);
  return await STORED.first(
    db,
    `FROM idempotency_keys k WHERE ${ITS_KEY} AND (${k.responseStatus} IS NULL OR NOT ${over.sql})`,
    [...ownerOf(args.accountId, args), ...over.params],
  );
}

/**
 * Shortens the life of a key's answer to this time from now; never extends it, so a repetition still ends at the first
 * call's time.
 */
export async function shortenKey(
  db: Executor,
  { shipmentUuid, seconds }: { shipmentUuid: string; seconds: number },
): Promise<void> {
  await db.run(
    `UPDATE idempotency_keys SET expires_at = NOW(6) + INTERVAL ? SECOND
     WHERE shipment_uuid = ? AND response_status IS NOT NULL AND expires_at > NOW(6) + INTERVAL ? SECOND`,
    [seconds, shipmentUuid, seconds],
  );
}

/** When the key of a shipment that was cancelled ends, as ISO 8601 UTC; null for other shipments. */
export async function cancelledUntil(db: Executor, shipmentUuid: string): Promise<string | null> {
  return await k.expiresAt.first(
    db,
    `FROM idempotency_keys k JOIN shipments s ON s.uuid = ${k.shipmentUuid}
     WHERE ${k.shipmentUuid} = ? AND s.status_code = 'cancelled' AND NOT s.is_active`,
    [shipmentUuid],
  );
}

/** The recorded answers of these shipments. */
export async function findAnswers(db: Executor, shipmentUuids: readonly string[]): Promise<StoredAnswer[]> {
  const rows = await STORED.select(
    db,
    `FROM idempotency_keys k
     WHERE ${k.shipmentUuid} IN (${placeholders(shipmentUuids.length)}) AND ${k.responseStatus} IS NOT NULL`,
    [...shipmentUuids],
  );
  return rows.flatMap(({ status, body, ...key }) =>
    status === null || body === null ? [] : [{ ...key, status, body }],
  );
}

function ownerOf(accountId: number, { api, keyHash }: Pick<IdempotencyRef, 'api' | 'keyHash'>): SqlValue[] {
  return [accountId, api, Buffer.from(keyHash, 'hex')];
}

/**
 * Deletes up to `limit` expired keys and returns how many. A key whose creation still runs stays at any age: without it
 * the same request would book a second parcel.
 */
export async function deleteExpiredKeys(db: Executor, limit: number): Promise<number> {
  const ids = await k.id.select(
    db,
    `FROM idempotency_keys k
     LEFT JOIN shipments s ON s.uuid = k.shipment_uuid AND s.state = 'reserved'
     WHERE k.expires_at <= NOW(6) AND s.id IS NULL
     ORDER BY k.expires_at LIMIT ?`,
    [limit],
  );
  if (ids.length === 0) return 0;
  const { affectedRows } = await db.run(
    `DELETE FROM idempotency_keys WHERE id IN (${placeholders(ids.length)}) AND expires_at <= NOW(6)`,
    ids,
  );
  return affectedRows;
}
