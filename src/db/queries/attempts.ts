import { type Executor, isDuplicateKey } from '../database.js';
import { int, intOrNull, text, textOrNull } from '../row.js';

/**
 * `sending` is the mark made before a call. Where the process died before the answer was noted, whoever books next
 * ends it: `accepted` when the parcel was found, else `unknown`.
 */
export type AttemptState = 'sending' | 'accepted' | 'rejected' | 'not_sent' | 'unknown';

/** One call to a carrier on behalf of a shipment. */
export interface Attempt {
  number: number;
  state: AttemptState;
  /** Whole seconds since the call was marked. */
  ageSeconds: number;
  /** The carrier's code and words, once the call has ended; else empty. */
  outcome: { code: string; text: string };
  /** The newest attempt without an answer, this or an earlier one: the carrier may have booked. */
  open: { number: number; ageSeconds: number } | null;
  /** Which account it was sent to, as {@link beginAttempt} was told; null where it was not. */
  accountIdentity: string | null;
  /** Of the parcel, once the booking is recorded. */
  trackingCode: string | null;
}

const STATES: readonly AttemptState[] = ['sending', 'accepted', 'rejected', 'not_sent', 'unknown'];

/**
 * Marks an attempt before anything is sent. False when that number exists, since somebody has tried before, and when
 * the shipment is not reserved any more: whoever was held up must not send what was refused or freed meanwhile. One
 * statement; the unique key decides between two processes, and the row's lock between sending and freeing.
 */
export async function beginAttempt(
  db: Executor,
  args: { uuid: string; operation: 'book'; number: number; accountIdentity?: string | undefined },
): Promise<boolean> {
  try {
    const { affectedRows } = await db.run(
      `INSERT INTO carrier_attempts (shipment_uuid, operation, number, account_identity)
       SELECT uuid, ?, ?, ? FROM shipments WHERE uuid = ? AND state = 'reserved' LOCK IN SHARE MODE`,
      [args.operation, args.number, args.accountIdentity ?? null, args.uuid],
    );
    return affectedRows === 1;
  } catch (error) {
    if (isDuplicateKey(error)) return false;
    throw error;
  }
}

/** The newest attempt, or null. */
export async function latestAttempt(
  db: Executor,
  args: { uuid: string; operation: 'book' },
): Promise<Attempt | null> {
  const [row] = await db.select(
    `SELECT a.number, a.state, TIMESTAMPDIFF(SECOND, a.sent_at, NOW(6)) AS age, a.outcome_code, a.outcome_text,
       a.account_identity, o.number AS open_number, TIMESTAMPDIFF(SECOND, o.sent_at, NOW(6)) AS open_age
     FROM carrier_attempts a
     LEFT JOIN carrier_attempts o ON o.shipment_uuid = a.shipment_uuid AND o.operation = a.operation
       AND o.state IN ('sending', 'unknown')
     WHERE a.shipment_uuid = ? AND a.operation = ? ORDER BY a.number DESC, o.number DESC LIMIT 1`,
    [args.uuid, args.operation],
  );
  if (row === undefined) return null;
  const state = STATES.find((known) => known === text(row, 'state'));
  if (state === undefined) throw new Error('carrier_attempts.state holds an unknown value');
  const code = textOrNull(row, 'outcome_code');
  const openNumber = intOrNull(row, 'open_number');
  return {
    number: int(row, 'number'),
    state,
    ageSeconds: int(row, 'age'),
    outcome: { code: code ?? '', text: textOrNull(row, 'outcome_text') ?? '' },
    open: openNumber === null ? null : { number: openNumber, ageSeconds: int(row, 'open_age') },
    accountIdentity: textOrNull(row, 'account_identity'),
    trackingCode: state === 'accepted' ? code : null,
  };
}

/** Notes how an attempt ended. */
export async function finishAttempt(
  db: Executor,
  args: { uuid: string; operation: 'book'; number: number; state: AttemptState; code: string; text: string },
): Promise<void> {
  await db.run(
    `UPDATE carrier_attempts SET state = ?, outcome_code = ?, outcome_text = ?, answered_at = NOW(6)
     WHERE shipment_uuid = ? AND operation = ? AND number = ? AND state = 'sending'`,
    [args.state, args.code.slice(0, 64), args.text.slice(0, 1000), args.uuid, args.operation, args.number],
  );
}
