import { WorkflowExecutionAlreadyStartedError } from '@temporalio/client';
import { isDuplicateKey } from '../../db/database.js';
import type { LicenseSummary } from '../../db/queries/accounts/accounts.js';
import {
  deletePendingExport,
  findExport,
  findExportInFlight,
  insertExport,
} from '../../db/queries/exports/exports.js';
import { findRunNames } from '../../db/queries/shipments/run-names.js';
import { AppError, unavailable } from '../../domain/errors.js';
import type { ExportFilter, ExportFormat, ExportRecord } from '../../domain/exports.js';
import { problem } from '../../domain/problems/problem.js';
import { promptly } from '../../temporal/client.js';
import { isEngineTrouble } from '../../temporal/outcomes.js';
import { startExportShipments } from '../../temporal/starters.js';
import type { App } from '../app.js';
import { endAbandoned } from './abandoned-exports.js';

const STARTING_SECONDS = 30;

const UNAVAILABLE = 'The service cannot accept the request now. Retry it.';

/** A validated export request. */
interface CreateExportRequest {
  accountId: number;
  /** Null over all licenses of the account. */
  license: LicenseSummary | null;
  filter: ExportFilter;
  format: ExportFormat;
}

type ExportApp = Pick<App, 'db' | 'temporal'>;

/**
 * Creates an export, one at a time per license, and one over all. The row holds the place, the run does the work.
 * @throws AppError `duplicate_request` while another is in flight, `service_unavailable`
 */
export async function createExport(app: ExportApp, request: CreateExportRequest): Promise<ExportRecord> {
  const { accountId, license } = request;
  const exportId = await insert(app, request);
  const [record, names] = await Promise.all([
    findExport(app.db, { accountId, exportId }),
    license === null ? null : findRunNames(app.db, license.id),
  ]);
  if (record === null) throw unavailable(UNAVAILABLE);
  try {
    await promptly(app.temporal, () => startExportShipments(app.temporal, record, names));
  } catch (error) {
    // If a lost start has begun the export, it continues and was accepted.
    const isNotStarted = await deletePendingExport(app.db, { accountId, exportId });
    if (!isNotStarted) return record;
    if (error instanceof WorkflowExecutionAlreadyStartedError) throw alreadyPreparing(license);
    throw isEngineTrouble(error) ? unavailable(UNAVAILABLE, { cause: error }) : error;
  }
  return record;
}

async function insert(app: ExportApp, request: CreateExportRequest): Promise<number> {
  const args = { ...request, licenseId: request.license?.id ?? null };
  const insertUnlessTaken = () =>
    insertExport(app.db, args).catch((error: unknown) => {
      if (isDuplicateKey(error)) return null;
      throw error;
    });
  const first = await insertUnlessTaken();
  if (first !== null) return first;
  const second = (await freeAbandoned(app, args)) ? await insertUnlessTaken() : null;
  if (second === null) throw alreadyPreparing(request.license);
  return second;
}

/** Fails an export that holds the place although its run was ended; false where the place stays taken. */
async function freeAbandoned(
  app: ExportApp,
  owner: { accountId: number; licenseId: number | null },
): Promise<boolean> {
  const holder = await findExportInFlight(app.db, owner);
  if (holder === null) return true;
  if (holder.ageSeconds < STARTING_SECONDS) return false;
  try {
    return await promptly(app.temporal, () => endAbandoned(app, holder));
  } catch (error) {
    if (isEngineTrouble(error)) return false;
    throw error;
  }
}

function alreadyPreparing(license: LicenseSummary | null): AppError {
  const of = license === null ? 'all licenses' : 'this license';
  return new AppError('duplicate_request', problem('exporting', { of }));
}
