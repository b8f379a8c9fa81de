import { WorkflowExecutionAlreadyStartedError } from '@temporalio/client';
import { workflowIds } from '../../contracts/ids.js';
import { failExport } from '../../db/queries/exports/exports.js';
import { findRunNames } from '../../db/queries/shipments/run-names.js';
import type { ExportRecord } from '../../domain/exports.js';
import { stateOfRun } from '../../temporal/run-state.js';
import { startExportShipments } from '../../temporal/starters.js';
import type { App } from '../app.js';

/** An export in flight. */
type InFlight = Pick<ExportRecord, 'id' | 'accountId' | 'licenseId' | 'format' | 'createdAt'>;

/** Whether the engine does not know the run of an export in flight, as after the loss of its store. */
export async function isExportForgotten(
  { temporal }: Pick<App, 'temporal'>,
  found: InFlight,
): Promise<boolean> {
  return (await stateOf(temporal, found)) === 'unknown';
}

/** The license's former run closes a moment after it has freed the place: what counts is when a run started. */
async function stateOf(temporal: App['temporal'], found: InFlight) {
  return await stateOfRun(temporal, workflowIds.exportShipments(found), { at: found.createdAt, first: true });
}

/** Starts an export that the engine has forgotten: it was accepted. False where another process was sooner. */
export async function continueExport(
  { db, temporal }: Pick<App, 'db' | 'temporal'>,
  found: InFlight,
): Promise<boolean> {
  const names = found.licenseId === null ? null : await findRunNames(db, found.licenseId);
  try {
    await startExportShipments(temporal, found, names);
    return true;
  } catch (error) {
    if (error instanceof WorkflowExecutionAlreadyStartedError) return false;
    throw error;
  }
}

/** Fails an export whose run was ended from outside, or continues it where the run is forgotten. True where it failed. */
export async function endAbandoned(app: Pick<App, 'db' | 'temporal'>, found: InFlight): Promise<boolean> {
  const { db, temporal } = app;
  const state = await stateOf(temporal, found);
  if (state === 'unknown') await continueExport(app, found);
  if (state !== 'closed') return false;
  const ref = { accountId: found.accountId, exportId: found.id };
  return await failExport(db, { ...ref, error: 'The export was ended from outside.' });
}
