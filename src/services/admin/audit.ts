import { stringify } from 'csv-stringify/sync';
import { Type } from 'typebox';
import { type AuditEntry, type AuditFilter, listAudit } from '../../db/queries/accounts/audit-log.js';
import { inertParts, inertText } from '../../documents/exports/cells.js';
import type { App } from '../app.js';
import { type Given, Id, Moment, momentOf, Page, requestCheck } from './check.js';

const text = Type.Optional(Type.String({ minLength: 1, maxLength: 255 }));
const filter = {
  account: Type.Optional(Id),
  actor: text,
  /** A whole action, or its noun. */
  action: text,
  /** A kind, or kind and id: `license/2`. */
  target: text,
  since: Type.Optional(Moment),
  until: Type.Optional(Moment),
};
const checkPage = requestCheck({ ...filter, beforeId: Type.Optional(Id), limit: Page.limit });
const checkExport = requestCheck(filter);

/** Rows of one statement of an export. */
const PAGE_ROWS = 500;
const COLUMNS = [
  'id',
  'at',
  'actor_kind',
  'actor',
  'origin',
  'action',
  'target',
  'account_id',
  'before',
  'after',
];

/** Changes, newest first: 100 by default, `beforeId` continues. @throws AppError `validation_failed` */
export async function auditList(
  { db }: Pick<App, 'db'>,
  request: Given<typeof checkPage>,
): Promise<AuditEntry[]> {
  const { beforeId, limit = 100, ...values } = checkPage(request);
  const page = { limit, ...(beforeId === undefined ? {} : { after: beforeId }) };
  return (await listAudit(db, filterOf(values), page)).slice(0, limit);
}

/**
 * Matching changes as CSV, newest first, piece by piece: all of them, or the newest `most`. No cell is calculated.
 * @throws as {@link auditList}
 */
export function auditCsv(
  { db }: Pick<App, 'db'>,
  request: Given<typeof checkExport>,
  most = Number.POSITIVE_INFINITY,
): AsyncGenerator<string> {
  return csvOf(db, filterOf(checkExport(request)), most);
}

async function* csvOf(db: App['db'], wanted: AuditFilter, most: number): AsyncGenerator<string> {
  yield stringify([COLUMNS]);
  for (let after: number | undefined, left = most; left > 0; left -= PAGE_ROWS) {
    const limit = Math.min(PAGE_ROWS, left);
    const page = { limit, ...(after === undefined ? {} : { after }) };
    const entries = await listAudit(db, wanted, page);
    yield stringify(entries.slice(0, limit).map(cellsOf));
    if (entries.length <= limit) return;
    after = entries[limit - 1]?.id;
  }
}

function cellsOf({ id, at, actor, action, target, accountId, before, after }: AuditEntry): string[] {
  const { kind, name, origin } = actor;
  const values = [before, after].map((one) => (one === null ? '' : JSON.stringify(one)));
  return [
    String(id),
    at,
    kind,
    name,
    origin,
    action,
    `${target.kind}/${target.id}`,
    accountId === null ? '' : String(accountId),
    ...values,
  ].map((cell) => inertParts(inertText(cell)));
}

function filterOf({
  account,
  actor,
  action,
  target,
  since,
  until,
}: ReturnType<typeof checkExport>): AuditFilter {
  const at = target?.indexOf('/') ?? -1;
  return {
    accountId: account,
    actor,
    action,
    targetKind: at < 0 ? target : target?.slice(0, at),
    targetId: at < 0 ? undefined : target?.slice(at + 1),
    since: momentOf('since', since, 'start') ?? undefined,
    until: momentOf('until', until, 'end') ?? undefined,
  };
}
