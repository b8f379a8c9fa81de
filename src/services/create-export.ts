import { type Client, WorkflowExecutionAlreadyStartedError } from '@temporalio/client';
import { type Database, isDuplicateKey } from '../db/database.js';
import {
  deletePendingExport,
  failExport,
  findExport,
  findExportInFlight,
  insertExport,
} from '../db/queries/exports.js';
import { findRunNames } from '../db/queries/run-names.js';
import { AppError, unavailable } from '../domain/errors.js';
import type { ExportRecord } from '../domain/exports.js';
import { promptly } from '../temporal/client.js';
import { isExportRunning, startExportShipments } from '../temporal/export-runs.js';
import { isEngineTrouble } from '../temporal/outcomes.js';
import type { CreateExportRequest } from './services.js';

/** An export this young may still be on its way to its run. */
const STARTING_SECONDS = 30;
const UNAVAILABLE = 'The service cannot take the request now. Send it again.';

interface Deps {
  db: Database;
  temporal: Client;
}

/**
 * Takes an export in: one a license at a time. The row holds the license's place, the run does the work.
 * @throws AppError `duplicate_request` while another is in flight, `service_unavailable`
 */
export async function createExport(deps: Deps, request: CreateExportRequest): Promise<ExportRecord> {
  const { accountId } = request;
  const exportId = await insert(deps, request);
  const [record, names] = await Promise.all([
    findExport(deps.db, { accountId, exportId }),
    findRunNames(deps.db, request.license.id),
  ]);
  if (record === null) throw unavailable(UNAVAILABLE);
  try {
    await promptly(deps.temporal, () => startExportShipments(deps.temporal, record, names));
  } catch (error) {
    // A start whose answer was lost may have begun it: then it goes on, and was accepted.
    const isUnbegun = await deletePendingExport(deps.db, { accountId, exportId });
    if (!isUnbegun) return record;
    if (error instanceof WorkflowExecutionAlreadyStartedError) throw alreadyPreparing();
    throw isEngineTrouble(error) ? unavailable(UNAVAILABLE, { cause: error }) : error;
  }
  return record;
}

async function insert(deps: Deps, request: CreateExportRequest): Promise<number> {
  const args = { ...request, licenseId: request.license.id };
  try {
    return await insertExport(deps.db, args);
  } catch (error) {
    if (!isDuplicateKey(error)) throw error;
  }
  if (!(await freeAbandoned(deps, args))) throw alreadyPreparing();
  try {
    return await insertExport(deps.db, args);
  } catch (error) {
    throw isDuplicateKey(error) ? alreadyPreparing() : error;
  }
}

/** Ends an export that holds the place without a run: it was terminated, or its start was lost with its process. */
async function freeAbandoned(
  { db, temporal }: Deps,
  owner: { accountId: number; licenseId: number },
): Promise<boolean> {
  const holder = await findExportInFlight(db, owner);
  if (holder === null) return true;
  if (holder.ageSeconds < STARTING_SECONDS) return false;
  try {
    const isRunning = await promptly(temporal, () => isExportRunning(temporal, owner.licenseId));
    if (isRunning) return false;
  } catch (error) {
    if (isEngineTrouble(error)) return false;
    throw error;
  }
  const ref = { accountId: owner.accountId, exportId: holder.id };
  await failExport(db, { ...ref, error: 'The export was ended from outside.' });
  return true;
}

function alreadyPreparing(): AppError {
  return new AppError('duplicate_request', 'An export is already being prepared for this license.');
}
