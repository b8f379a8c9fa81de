import { randomUUID } from 'node:crypto';
import { ApplicationFailure, cancellationSignal } from '@temporalio/activity';
import { EXPORT_FAILURES, type ExportShipmentsInput } from '../src/contracts/export-shipments.js';
import type { Database } from '../src/db/database.js';
import { nameExportFile } from '../src/db/queries/export-files.js';
import { beginExport, findExport } from '../src/db/queries/exports.js';
import { ExportEndedError, type ExportRecord } from '../src/domain/exports.js';
import type { App } from '../src/services/app.js';
import type { ExportWriter } from '../src/services/export-aside.js';
import { withHeartbeat } from './heartbeat.js';

/** What the activities that write an export are given. */
export type ExportWritingApp = Pick<App, 'db'> & { writeFile: ExportWriter };

/** The failure of whatever an export still has to do after it was ended from outside. */
export function exportEnded(): ApplicationFailure {
  return ApplicationFailure.nonRetryable('The export was ended from outside.', EXPORT_FAILURES.ended);
}

/** From the rows in MySQL to the file in the document store. Each may be run again at any time. */
export function createExportWritingActivities({ db, writeFile }: ExportWritingApp) {
  return {
    /** Takes a pending export up; false when it has ended before. */
    async beginExport(input: ExportShipmentsInput): Promise<boolean> {
      return await beginExport(db, input);
    },

    /**
     * Writes the whole file, from the beginning at each try: a million rows take a minute at most, and the file
     * has its name only once it is whole. The heartbeat tells how many rows are written.
     * @returns how many rows it has
     * @throws ApplicationFailure `ExportEnded`
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

/** The export while it is being processed. @throws ApplicationFailure `ExportEnded` */
export async function processing(db: Database, input: ExportShipmentsInput): Promise<ExportRecord> {
  const record = await findExport(db, input);
  if (record?.status !== 'processing') throw exportEnded();
  return record;
}

function asFailure(error: unknown): never {
  throw error instanceof ExportEndedError ? exportEnded() : error;
}
