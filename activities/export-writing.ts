import { randomUUID } from 'node:crypto';
import { ApplicationFailure, cancellationSignal } from '@temporalio/activity';
import { EXPORT_FAILURES, type ExportShipmentsInput } from '../src/contracts/export-shipments.js';
import type { Database } from '../src/db/database.js';
import { nameExportFile } from '../src/db/queries/exports/export-files.js';
import { beginExport, findExport } from '../src/db/queries/exports/exports.js';
import { ExportEndedError, type ExportRecord } from '../src/domain/exports.js';
import type { App } from '../src/services/app.js';
import type { ExportWriter } from '../src/services/exports/export-aside.js';
import { withHeartbeat } from './heartbeat.js';

export type ExportWritingApp = Pick<App, 'db'> & { writeFile: ExportWriter };

/** The failure of steps after the export was ended from outside. */
export function exportEnded(): ApplicationFailure {
  return ApplicationFailure.nonRetryable('The export was ended from outside.', EXPORT_FAILURES.ended);
}

/** Steps from MySQL's rows to the file in the store, all repeatable. */
export function createExportWritingActivities({ db, writeFile }: ExportWritingApp) {
  return {
    /** Starts a pending export; false when it has ended. */
    async beginExport(input: ExportShipmentsInput): Promise<boolean> {
      return await beginExport(db, input);
    },

    /**
     * Writes the whole file, from the start at each try (a million rows take a minute). The heartbeat has the
     * number of rows. @returns the number of rows @throws ApplicationFailure `ExportEnded`
     */
    async writeExportRows(input: ExportShipmentsInput): Promise<number> {
      await nameExportFile(db, { ...input, fileUuid: randomUUID() });
      const record = await processing(db, input);
      return await withHeartbeat(async (beat) => {
        const onRows = (rows: number) => beat({ rows });
        return await writeFile(record, { onRows, signal: cancellationSignal() }).catch(asFailure);
      });
    },
  };
}

/** The export in progress. @throws ApplicationFailure `ExportEnded` */
export async function processing(db: Database, input: ExportShipmentsInput): Promise<ExportRecord> {
  const record = await findExport(db, input);
  if (record?.status !== 'processing') throw exportEnded();
  return record;
}

function asFailure(error: unknown): never {
  throw error instanceof ExportEndedError ? exportEnded() : error;
}
