import type { Calls } from '../../../contracts/create-shipment.js';
import { type Executor, isDuplicateKey } from '../../database.js';
import { int, iso, text } from '../../row.js';
import { expression, type Selected, shape } from '../../selection.js';
import { carrierAttempts } from '../../tables/index.js';

const a = carrierAttempts.as('a');
const o = carrierAttempts.as('o');
const LATEST = shape({
  number: a.number,
  /**
   * `sending` is set before a call. If the process died before recording the answer, the next booking ends it:
   * `accepted` when the parcel was found, else `unknown`.
   */
  state: a.state,
  /** Whole seconds since the call was marked. */
  ageSeconds: expression('TIMESTAMPDIFF(SECOND, a.sent_at, NOW(6))', int),
  /** For how long the call can still be under way; 0 or less: it cannot. */
  underWayMs: expression(
    "IF(a.state = 'sending', COALESCE(TIMESTAMPDIFF(MICROSECOND, NOW(6), a.ends_at) DIV 1000, 0), 0)",
    int,
  ),
  /** The carrier's code and words, once the call has ended; else empty. */
  outcome: shape({
    code: a.outcomeCode.map((code) => code ?? ''),
    text: a.outcomeText.map((text) => text ?? ''),
  }),
  /** The newest attempt without an answer, this or an earlier one: it may have been booked. */
  open: shape({
    number: o.number,
    ageSeconds: expression('TIMESTAMPDIFF(SECOND, o.sent_at, NOW(6))', int),
  }).or(null),
  /** The account given to {@link beginAttempt}; null without one. */
  accountIdentity: a.accountIdentity,
  /** Tracking code, once the booking is recorded. */
  trackingCode: expression("IF(a.state = 'accepted', a.outcome_code, NULL)", text).or(null),
});

/** One call to a carrier that books a shipment. */
export type Attempt = Selected<typeof LATEST>;

/**
 * Marks an attempt before the call, which has ended for sure after `withinMs`. False when the number exists, since another
 * process has tried, or when the shipment is no longer reserved: a delayed process must not send what was refused or
 * freed meanwhile. One statement; the unique key decides between two processes, and between sending and freeing the
 * row's lock, or {@link keepOutAttempts} where each is at another node of a cluster.
 */
export async function beginAttempt(
  db: Executor,
  args: { uuid: string; number: number; accountIdentity?: string | undefined; withinMs?: number },
): Promise<boolean> {
  try {
    const { affectedRows } = await db.run(
      `INSERT INTO carrier_attempts (shipment_uuid, operation, number, account_identity, ends_at)
       SELECT uuid, 'book', ?, ?, NOW(6) + INTERVAL ? MICROSECOND FROM shipments WHERE uuid = ? AND state = 'reserved' LOCK IN SHARE MODE`,
      [args.number, args.accountIdentity ?? null, (args.withinMs ?? 0) * 1000, args.uuid],
    );
    return affectedRows === 1;
  } catch (error) {
    if (isDuplicateKey(error)) return false;
    throw error;
  }
}

/**
 * Keeps an attempt from being marked until the transaction ends, on other nodes of a cluster too: they do not see the
 * lock of the shipment's row, which an attempt does not change. For as long as the transaction runs, the number that an
 * attempt would take is taken.
 */
export async function keepOutAttempts(tx: Executor, uuid: string): Promise<void> {
  const { insertId } = await tx.run(
    `INSERT INTO carrier_attempts (shipment_uuid, operation, number)
     SELECT ?, 'book', COALESCE(MAX(number), 0) + 1 FROM carrier_attempts
     WHERE shipment_uuid = ? AND operation = 'book'`,
    [uuid, uuid],
  );
  await tx.run('DELETE FROM carrier_attempts WHERE id = ?', [insertId]);
}

/** The newest attempt, or null. */
export async function latestAttempt(db: Executor, uuid: string): Promise<Attempt | null> {
  return await LATEST.first(
    db,
    `FROM carrier_attempts a
     LEFT JOIN carrier_attempts o ON o.shipment_uuid = a.shipment_uuid AND o.operation = a.operation
       AND o.state IN ('sending', 'unknown')
     WHERE a.shipment_uuid = ? AND a.operation = 'book' ORDER BY a.number DESC, o.number DESC LIMIT 1`,
    [uuid],
  );
}

/** Records how an attempt ended. */
export async function finishAttempt(
  db: Executor,
  args: { uuid: string; number: number; state: Attempt['state']; code: string; text: string },
): Promise<void> {
  await db.run(
    `UPDATE carrier_attempts SET state = ?, outcome_code = ?, outcome_text = ?, answered_at = NOW(6)
     WHERE shipment_uuid = ? AND operation = 'book' AND number = ? AND state = 'sending'`,
    [args.state, args.code.slice(0, 64), args.text.slice(0, 1000), args.uuid, args.number],
  );
}

const CALLS = shape({
  attempt: expression('COALESCE(MAX(a.number), 0)', int),
  underWayUntil: expression("MAX(IF(a.state = 'sending' AND a.ends_at > NOW(6), a.ends_at, NULL))", iso).or(
    null,
  ),
});

/** The booking calls of a shipment, as a decision about them needs. */
export async function findCalls(db: Executor, uuid: string): Promise<Calls> {
  const none = { attempt: 0, underWayUntil: null };
  const tail = "FROM carrier_attempts a WHERE a.shipment_uuid = ? AND a.operation = 'book'";
  return (await CALLS.first(db, tail, [uuid])) ?? none;
}
