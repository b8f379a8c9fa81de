import type { Actor, AuditChange, AuditValues } from '../../../domain/audit.js';
import { isoToSql } from '../../../lib/time.js';
import type { Executor } from '../../database.js';
import { text } from '../../row.js';
import { expression, type Selected, shape } from '../../selection.js';
import { auditLog } from '../../tables/index.js';
import { type KeysetPage, selectPage } from '../keyset.js';

const g = auditLog.as('g');
const ENTRY = shape({
  id: g.id,
  at: g.createdAt,
  actor: shape({ kind: g.actorKind, name: g.actorName, origin: g.actorOrigin }),
  action: g.action,
  target: shape({ kind: g.targetKind, id: g.targetId }),
  accountId: g.accountId,
  /** Its account's name. */
  merchant: expression('(SELECT a.name FROM accounts a WHERE a.id = g.account_id)', text).or(null),
  before: g.valuesBefore.map(valuesIn),
  after: g.valuesAfter.map(valuesIn),
});

/** One change. `at`: ISO 8601 UTC with microseconds. `before` and `after`: only what differs. */
export type AuditEntry = Selected<typeof ENTRY>;

/** Undefined members match everything. Times: ISO 8601 UTC; `since` and `until` are included. */
export interface AuditFilter {
  accountId?: number | undefined;
  /** Name of the actor. */
  actor?: string | undefined;
  /** A whole action, or its noun alone: `licenses`. */
  action?: string | undefined;
  targetKind?: string | undefined;
  targetId?: string | undefined;
  since?: string | undefined;
  until?: string | undefined;
}

/** Records a change, within the transaction that makes it. Returns the id of its row. */
export async function insertAudit(db: Executor, actor: Actor, change: AuditChange): Promise<number> {
  const { action, target, accountId, before, after } = change;
  return await auditLog.insert(db, {
    actorKind: actor.kind,
    actorName: actor.name.slice(0, 255),
    actorOrigin: actor.origin.slice(0, 255),
    action,
    targetKind: target.kind,
    targetId: String(target.id),
    accountId,
    valuesBefore: before,
    valuesAfter: after,
  });
}

/** Completes the row of a change that no transaction could hold. */
export async function completeAudit(
  db: Executor,
  { id, before, after }: Pick<AuditChange, 'before' | 'after'> & { id: number },
): Promise<void> {
  await auditLog.update(db, { id, accountId: undefined }, { valuesBefore: before, valuesAfter: after });
}

/** Changes, newest first; up to `limit + 1`, as in {@link selectPage}. */
export async function listAudit(db: Executor, filter: AuditFilter, page: KeysetPage): Promise<AuditEntry[]> {
  const { accountId, actor, action, targetKind, targetId, since, until } = filter;
  const isNoun = action !== undefined && !action.includes('.');
  return await selectPage(
    db,
    ENTRY,
    {
      from: 'audit_log g',
      where: [
        ['TRUE'],
        ['g.account_id = ?', accountId],
        ['g.actor_name = ?', actor],
        // A full stop ends the noun, and the next character ends the range.
        isNoun ? [`g.action >= ? AND g.action < ?`, `${action}.`, `${action}/`] : ['g.action = ?', action],
        ['g.target_kind = ?', targetKind],
        ['g.target_id = ?', targetId],
        ['g.created_at >= ?', since === undefined ? since : isoToSql(since)],
        ['g.created_at <= ?', until === undefined ? until : isoToSql(until)],
      ],
      id: 'g.id',
    },
    page,
  );
}

function valuesIn(value: unknown): AuditValues | null {
  return typeof value === 'object' && value !== null ? { ...value } : null;
}
