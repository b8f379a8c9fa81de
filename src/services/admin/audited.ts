import type { Executor } from '../../db/database.js';
import { completeAudit, insertAudit } from '../../db/queries/accounts/audit-log.js';
import {
  type Actor,
  type AuditAction,
  type AuditTarget,
  differences,
  isNothing,
} from '../../domain/audit.js';
import { AppError, type ErrorCode } from '../../domain/errors.js';
import type { App } from '../app.js';
import { AdminError } from './check.js';

/** The app of a use case that changes something: it cannot be called without naming who does. */
export type ActingApp = Pick<App, 'db'> & { actor: Actor };

/** The result of a change. `before` and `after` hold no secret; only what differs between them is recorded. */
interface Done<T> {
  result: T;
  target: AuditTarget;
  /** Null for what belongs to no account. */
  accountId: number | null;
  /** Missing for something new. */
  before?: object;
  /** Missing for something that is gone. */
  after?: object;
}

/**
 * Makes a change and records it, in one transaction; one that leaves everything as it was is none. `change` runs again
 * after a conflict, so it must have no effect outside `tx`. @throws what `change` throws, and then nothing is recorded
 */
export async function audited<T>(
  { db, actor }: ActingApp,
  action: AuditAction,
  change: (tx: Executor) => Promise<Done<T>>,
): Promise<T> {
  return await db.transaction(async (tx) => {
    const { result, target, accountId, before, after } = await change(tx);
    const found = differences(before, after);
    if (!isNothing(found.before) || !isNothing(found.after) || before === undefined || after === undefined) {
      await insertAudit(tx, actor, { action, target, accountId, ...found });
    }
    return result;
  });
}

/** Words for what an act did; with the values that it changed, where they can be read. */
type Outcome = string | { outcome: string; before: object | undefined; after: object | undefined };

/**
 * Records what is asked for and does it, where no transaction can hold the effect. The row comes first, so that a
 * process that dies leaves it with the outcome `begun`; `outcomeOf` replaces that. @throws what `act` throws; the row
 * says so
 */
export async function auditedAct<T>(
  { db, actor }: ActingApp,
  action: AuditAction,
  about: { target: AuditTarget; accountId: number | null; asked?: object },
  act: () => Promise<T>,
  outcomeOf: (result: T) => Outcome = () => 'done',
): Promise<T> {
  const { target, accountId, asked = {} } = about;
  const after = differences(undefined, asked).after ?? {};
  const id = await insertAudit(db, actor, {
    action,
    target,
    accountId,
    before: null,
    after: { ...after, outcome: 'begun' },
  });
  const complete = (outcome: string, found?: ReturnType<typeof differences>) =>
    completeAudit(db, { id, before: found?.before ?? null, after: { ...after, ...found?.after, outcome } });
  try {
    const result = await act();
    const done = outcomeOf(result);
    if (typeof done === 'string') await complete(done);
    else await complete(done.outcome, differences(done.before, done.after));
    return result;
  } catch (error) {
    await complete(failureOf(error));
    throw error;
  }
}

/** Their messages may be a carrier's words, which name streets and people. Rows of the audit stay for ever. */
const CARRIERS_WORDS: ReadonlySet<ErrorCode> = new Set([
  'carrier_rejected',
  'creation_refused',
  'shipment_not_cancellable',
]);

/** A message of ours holds no personal data; any other may. */
function failureOf(error: unknown): string {
  if (error instanceof AppError)
    return `failed: ${CARRIERS_WORDS.has(error.code) ? error.code : error.message}`;
  return error instanceof AdminError ? `failed: ${error.message}` : 'failed';
}
