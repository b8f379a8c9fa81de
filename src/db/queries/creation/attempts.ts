import { type Executor, isDuplicateKey } from '../../database.js';
import { int, text } from '../../row.js';
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
 * Marks an attempt before the call. False when the number exists, since another process has tried, or when the shipment
 * is no longer reserved: a delayed process must not send what was refused or freed meanwhile. One statement; the unique
 * key decides between two processes, and the row's lock between sending and freeing.
 */
export async function beginAttempt(
  db: Executor,
  args: { uuid: string; number: number; accountIdentity?: string | undefined },
): Promise<boolean> {
  try {
    const { affectedRows } = await db.run(
      `INSERT INTO carrier_attempts (shipment_uuid, operation, number, account_identity)
       SELECT uuid, 'book', ?, ? FROM shipments WHERE uuid = ? AND state = 'reserved' LOCK IN SHARE MODE`,
      [args.number, args.accountIdentity ?? null, args.uuid],
    );
    return affectedRows === 1;
  } catch (error) {
    if (isDuplicateKey(error)) return false;
    throw error;
  }
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
