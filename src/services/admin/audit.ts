import { stringify } from 'csv-stringify/sync';
import { type Static, Type } from 'typebox';
import { type AuditEntry, type AuditFilter, listAudit } from '../../db/queries/accounts/audit-log.js';
import { inertParts, inertText } from '../../documents/exports/cells.js';
import { compileOnUse } from '../../lib/schema.js';
import type { App } from '../app.js';
import { checked, type Given, Id, Moment, momentOf } from './check.js';

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
const auditPage = Type.Object(
  {
    ...filter,
    beforeId: Type.Optional(Id),
    limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 1000 })),
  },
  { additionalProperties: false },
);
const auditExport = Type.Object(filter, { additionalProperties: false });
const checkPage = compileOnUse<Static<typeof auditPage>>(auditPage);
const checkExport = compileOnUse<Static<typeof auditExport>>(auditExport);

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
  request: Given<Static<typeof auditPage>>,
): Promise<AuditEntry[]> {
  const { beforeId, limit = 100, ...values } = checked(checkPage(), request);
  const page = { limit, ...(beforeId === undefined ? {} : { after: beforeId }) };
  return (await listAudit(db, filterOf(values), page)).slice(0, limit);
}

/**
 * Matching changes as CSV, newest first, piece by piece: all of them, or the newest `most`. No cell is calculated.
 * @throws as {@link auditList}
 */
export function auditCsv(
  { db }: Pick<App, 'db'>,
  request: Given<Static<typeof auditExport>>,
  most = Number.POSITIVE_INFINITY,
): AsyncGenerator<string> {
  return csvOf(db, filterOf(checked(checkExport(), request)), most);
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

function filterOf({ account, actor, action, target, since, until }: Static<typeof auditExport>): AuditFilter {
  const at = target?.indexOf('/') ?? -1;
  return {
    accountId: account,
    actor,
    action,
    targetKind: at < 0 ? target : target?.slice(0, at),
    targetId: at < 0 ? undefined : target?.slice(at + 1),
    since: momentOf('since', since) ?? undefined,
    until: momentOf('until', until) ?? undefined,
  };
}
