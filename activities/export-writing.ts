import { ApplicationFailure, CancelledFailure, cancellationSignal } from '@temporalio/activity';
import {
  EXPORT_FAILURES,
  type ExportProgress,
  type ExportShipmentsInput,
} from '../src/contracts/export-shipments.js';
import type { Database } from '../src/db/database.js';
import { insertExportMails } from '../src/db/queries/export-mails.js';
import {
  carrierNames,
  type ExportTail,
  findExportTail,
  insertExportPart,
  listExportParts,
  readExportRows,
} from '../src/db/queries/export-parts.js';
import { beginExport, findExport } from '../src/db/queries/exports.js';
import { planMails } from '../src/documents/exports/files.js';
import { encodePart } from '../src/documents/exports/parts.js';
import type { ExportRecord } from '../src/domain/exports.js';
import { type Beat, withHeartbeat } from './heartbeat.js';

/** Rows read at once, some megabytes of memory. */
const PART_ROWS = 1500;
/** Parts of one call, so that the workflow and its watchers see progress. */
const PARTS_PER_CALL = 60;
/** A part above this, of very long texts, is read again in smaller ones: MySQL takes packets of 16 MiB at most. */
const PART_LIMIT_BYTES = 3 * 1024 * 1024;

/** The failure of whatever an export still has to do after it was ended from outside. */
export function exportEnded(): ApplicationFailure {
  return ApplicationFailure.nonRetryable('The export was ended from outside.', EXPORT_FAILURES.ended);
}

/** From the rows in MySQL to parts that are ready to be mailed. Each may be run again at any time. */
export function createExportWritingActivities({ db }: { db: Database }) {
  return {
    /** Takes a pending export up; false when it has ended before. */
    async beginExport(input: ExportShipmentsInput): Promise<boolean> {
      return await beginExport(db, input);
    },

    /**
     * Writes the next rows, from where the stored parts end: a call after a crash goes on, and two calls at once
     * cannot write a row twice, since each part is stored once and begins where the one before it ends.
     */
    async writeExportRows(input: ExportShipmentsInput): Promise<ExportProgress> {
      return await withHeartbeat((beat) => writeRows(db, input, beat));
    },

    /** Decides, once, on the mails that the export is sent in; gives how many. */
    async planExportMails(input: ExportShipmentsInput): Promise<number> {
      const record = await processing(db, input);
      return insertExportMails(db, input, planMails(record.format, await listExportParts(db, input)));
    },
  };
}

async function writeRows(db: Database, input: ExportShipmentsInput, beat: Beat): Promise<ExportProgress> {
  const record = await processing(db, input);
  const carriers = await carrierNames(db);
  let limit = PART_ROWS;
  const read = (after: ExportTail['last']) => ahead(readExportRows(db, { record, carriers, after, limit }));
  let tail = await tailOf(db, input);
  let reading = read(tail.last);
  let storing = Promise.resolve(true);
  for (let part = 0; part < PARTS_PER_CALL; part++) {
    if (cancellationSignal().aborted) throw new CancelledFailure('The export was cancelled.');
    const { rows, last } = await reading;
    const isEnd = rows.length < limit;
    // The next rows are read, and the last ones stored, while these are written.
    if (last !== null && !isEnd) reading = read(last);
    const encoded = await encodePart(record.format, rows);
    if (!(await storing)) {
      tail = await tailOf(db, input);
      reading = read(tail.last);
      storing = Promise.resolve(true);
      continue;
    }
    if (last === null) return { rows: tail.rows, more: false };
    if (encoded.content.length > PART_LIMIT_BYTES && limit > 1) {
      limit = Math.ceil(limit / 4);
      reading = read(tail.last);
      continue;
    }
    tail = { parts: tail.parts + 1, rows: tail.rows + rows.length, last };
    storing = ahead(
      insertExportPart(db, input, { number: tail.parts, rowCount: rows.length, last, ...encoded }),
    );
    beat({ rows: tail.rows });
    if (isEnd) return await settle(db, input, { tail, storing, more: false });
  }
  return await settle(db, input, { tail, storing, more: true });
}

/** Waits for the last part; where another call was faster with it, that one decides what is left. */
async function settle(
  db: Database,
  input: ExportShipmentsInput,
  { tail, storing, more }: { tail: ExportTail; storing: Promise<boolean>; more: boolean },
): Promise<ExportProgress> {
  if (await storing) return { rows: tail.rows, more };
  return { rows: (await tailOf(db, input)).rows, more: true };
}

/** A promise that may fail before anybody waits for it. */
function ahead<T>(promise: Promise<T>): Promise<T> {
  promise.catch(() => undefined);
  return promise;
}

async function tailOf(db: Database, input: ExportShipmentsInput): Promise<ExportTail> {
  const tail = await findExportTail(db, input);
  if (tail === null) throw exportEnded();
  return tail;
}

/** The export while it is being processed. @throws ApplicationFailure `ExportEnded` */
export async function processing(db: Database, input: ExportShipmentsInput): Promise<ExportRecord> {
  const record = await findExport(db, input);
  if (record?.status !== 'processing') throw exportEnded();
  return record;
}
