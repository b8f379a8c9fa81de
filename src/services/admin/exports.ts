import { Type } from 'typebox';
import type { LicenseSummary } from '../../db/queries/accounts/accounts.js';
import { findLicenseByKey } from '../../db/queries/accounts/keyed-licenses.js';
import { findLicenseHead } from '../../db/queries/accounts/licenses.js';
import { listLatestExports } from '../../db/queries/exports/exports.js';
import type { ExportRecord } from '../../domain/exports.js';
import type { App } from '../app.js';
import { createExport } from '../exports/create-export.js';
import { type ActingApp, auditedAct } from './audited.js';
import { fieldError, type Given, Id, refuse, requestCheck } from './check.js';

const checkWhich = requestCheck({ account: Type.Optional(Id) });

/** Exports, newest first; 200 at most. @throws AppError `validation_failed` */
export async function exportList(app: Pick<App, 'db'>, request: Given<typeof checkWhich>) {
  const { account: accountId } = checkWhich(request);
  return (await listLatestExports(app.db, { accountId })).map(shown);
}

/** One export. @throws AppError `validation_failed` for an unknown one */
export async function showExport(app: Pick<App, 'db'>, request: { export: number }) {
  return shown(await requireExport(app, request.export));
}

/** Makes a failed export once more, as a new one with the same filter. @throws AppError `validation_failed`, `duplicate_request` */
export async function retryExport(app: ActingApp & Pick<App, 'temporal'>, request: { export: number }) {
  const found = await requireExport(app, request.export);
  if (found.status !== 'failed') throw fieldError('export', 'must_have_failed', { status: found.status });
  const { id, accountId, licenseId, filter, format } = found;
  const license = licenseId === null ? null : await requireLicense(app, licenseId);
  const about = { target: { kind: 'export', id }, accountId };
  const again = () => createExport(app, { accountId, license, filter, format });
  return shown(await auditedAct(app, 'exports.retry', about, again, (made) => `export ${made.id}`));
}

async function requireLicense({ db }: Pick<App, 'db'>, id: number): Promise<LicenseSummary> {
  const head = await findLicenseHead(db, String(id));
  const license = head && (await findLicenseByKey(db, head.key));
  if (license === null) throw new Error(`License ${id} is gone.`);
  return license;
}

async function requireExport({ db }: Pick<App, 'db'>, id: number): Promise<ExportRecord> {
  const [found] = await listLatestExports(db, { id });
  return found ?? refuse('export', 'no_such', { be: 'be the id of an export', given: id });
}

/** An export as the operator sees it, without the name of its file, which opens it. */
function shown({ fileUuid: _file, ...rest }: ExportRecord) {
  return rest;
}
