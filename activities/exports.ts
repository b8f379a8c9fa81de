import { randomUUID } from 'node:crypto';
import { ApplicationFailure, activityInfo, cancellationSignal } from '@temporalio/activity';
import { EXPORT_FAILURES, type ExportShipmentsInput } from '../src/contracts/export-shipments.js';
import { RETRIES } from '../src/contracts/retries.js';
import type { Database } from '../src/db/database.js';
import {
  beginExport,
  completeExport,
  failExport,
  findExport,
  getExportAddressee,
  markExportMailed,
  nameExportFile,
  noteExportRows,
  noteExportTrouble,
  noteExportTry,
  openExportLink,
} from '../src/db/queries/exports/exports.js';
import { type ExportMailLink, renderExportMail } from '../src/documents/mails/export-mail.js';
import type { DocumentStorage } from '../src/documents/storage.js';
import {
  EXPORT_CONTENT_TYPES,
  ExportEndedError,
  type ExportRecord,
  exportFileKey,
  exportFilename,
} from '../src/domain/exports.js';
import { LIMITS } from '../src/lib/limits/values.js';
import { DAY_SECONDS, isoAfter } from '../src/lib/time.js';
import { MailError, type OutgoingMail } from '../src/outbound/mail.js';
import type { App } from '../src/services/app.js';
import type { exportWriterAside } from '../src/services/exports/export-aside.js';
import { exportTrouble } from '../src/services/exports/export-trouble.js';
import { withHeartbeat } from './heartbeat.js';
import { pauseAfterTry } from './next-try.js';

const SENT = 'sent';

type ExportApp = Pick<App<'baseUrl'>, 'db' | 'storage' | 'mailer' | 'config'> & {
  writeFile: ReturnType<typeof exportWriterAside>;
};

/** Steps of an export, from MySQL's rows to the file in the store, the mail and the end; all repeatable. */
export function createExportActivities(app: ExportApp) {
  const { db } = app;
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
      return await withHeartbeat((beat) =>
        tried(db, input, RETRIES.patiently, () => writeFile(app, record, beat)),
      );
    },

    /**
     * Sends the mail unless an earlier try did. A mail is sent twice, with the same Message-ID, only if the
     * connection broke before the server's answer. @throws ApplicationFailure `ExportMailRefused` (final),
     * `ExportMailNotSent`, `ExportFileGone` (final), `ExportEnded`
     */
    async mailExport(input: ExportShipmentsInput & { rowCount: number }): Promise<void> {
      await withHeartbeat(async (beat) => {
        const isSent = wasSentBefore();
        if (isSent) beat(SENT);
        await tried(db, input, RETRIES.exportMail, async () => {
          const record = await processing(db, input);
          if (record.isMailed) return;
          if (!isSent) await handOver(app, record, input.rowCount);
          // If MySQL fails now, the next try reads this.
          beat(SENT);
          await markExportMailed(db, input);
        });
      });
    },

    /** Completes an export whose mail was sent. */
    async completeExport(input: ExportShipmentsInput & { rowCount: number }): Promise<void> {
      const { accountId, exportId, rowCount } = input;
      const record = await findExport(db, input);
      if (record === null) throw exportEnded();
      await completeExport(db, { accountId, exportId, rowCount, filename: exportFilename(record) });
    },

    /** Fails an export with a reason for the account; an ended one stays unchanged. */
    async failExport(input: ExportShipmentsInput & { error: string }): Promise<void> {
      const { accountId, exportId, error } = input;
      await failExport(db, { accountId, exportId, error });
    },
  };
}

/** Writes the file, and notes in the export how many rows it has so far. */
async function writeFile(
  { db, writeFile: write }: ExportApp,
  record: ExportRecord,
  beat: (details: unknown) => void,
): Promise<number> {
  const ref = { accountId: record.accountId, exportId: record.id };
  await noteExportRows(db, { ...ref, rowsWritten: 0 });
  let noted = Promise.resolve();
  let notedAt = Date.now();
  const onRows = (rows: number) => {
    beat({ rows });
    if (Date.now() - notedAt < LIMITS.worker.heartbeatMs) return;
    notedAt = Date.now();
    // Only people read it, and the next one will tell.
    noted = noted.then(() => noteExportRows(db, { ...ref, rowsWritten: rows })).catch(() => undefined);
  };
  let rows: number;
  try {
    rows = await write(record, { onRows, signal: cancellationSignal() }).catch(asFailure);
  } finally {
    // No note comes after the last one.
    await noted;
  }
  await noteExportRows(db, { ...ref, rowsWritten: rows });
  return rows;
}

/** Runs a step of an export and notes each try, and why it failed, for who waits for the file. */
async function tried<T>(
  db: Database,
  { accountId, exportId }: ExportShipmentsInput,
  policy: Parameters<typeof pauseAfterTry>[0],
  step: () => Promise<T>,
): Promise<T> {
  const ref = { accountId, exportId };
  await noteExportTry(db, { ...ref, attempts: activityInfo().attempt });
  try {
    return await step();
  } catch (error) {
    if (!cancellationSignal().aborted) {
      const isFinal = error instanceof ApplicationFailure && error.nonRetryable === true;
      const reason = error instanceof ApplicationFailure ? error.message : exportTrouble(error);
      const trouble = { reason, pauseMs: isFinal ? null : pauseAfterTry(policy) };
      // The error itself is what counts, also where MySQL is away.
      await noteExportTrouble(db, { ...ref, ...trouble }).catch(() => undefined);
    }
    throw error;
  }
}

/** The export in progress. @throws ApplicationFailure `ExportEnded` */
async function processing(db: Database, input: ExportShipmentsInput): Promise<ExportRecord> {
  const record = await findExport(db, input);
  if (record?.status !== 'processing') throw exportEnded();
  return record;
}

/** The failure of steps after the export was ended from outside. */
function exportEnded(): ApplicationFailure {
  return ApplicationFailure.nonRetryable('The export was ended from outside.', EXPORT_FAILURES.ended);
}

function asFailure(error: unknown): never {
  throw error instanceof ExportEndedError ? exportEnded() : error;
}

/** Sends the file, or its link where the file or the mail with it is too large. */
async function handOver(app: ExportApp, record: ExportRecord, rowCount: number): Promise<void> {
  const content = await attachable(app.storage, exportFileKey(record));
  const sendWith = async (attached: Buffer | null) =>
    app.mailer.send(await compose(app, record, { rowCount, content: attached }));
  try {
    await sendWith(content).catch(async (error: unknown) => {
      const isSize = error instanceof MailError && error.kind === 'too_large' && content !== null;
      if (!isSize) throw error;
      await sendWith(null);
    });
  } catch (error) {
    if (!(error instanceof MailError)) throw error;
    if (error.isFinal) throw ApplicationFailure.nonRetryable(error.message, EXPORT_FAILURES.mailRefused);
    throw ApplicationFailure.retryable(error.message, EXPORT_FAILURES.mailNotSent);
  }
}

async function compose(
  app: ExportApp,
  record: ExportRecord,
  { rowCount, content }: { rowCount: number; content: Buffer | null },
): Promise<OutgoingMail> {
  const ref = { accountId: record.accountId, exportId: record.id };
  const addressee = await getExportAddressee(app.db, ref);
  const filename = exportFilename(record);
  // The panel offers the file as long, attached or not.
  const link = await openLink(app, record, filename);
  const made = record.createdAt.replaceAll(/\D/g, '');
  const contentType = EXPORT_CONTENT_TYPES[record.format];
  return {
    to: addressee.email,
    ...renderExportMail({
      ...addressee,
      ...record,
      rowCount,
      filename,
      link: content === null ? link : null,
    }),
    messageId: `export-${record.id}.${made}`,
    attachments: content === null ? [] : [{ filename, contentType, content }],
  };
}

/** The file if it is small enough, else null. @throws ApplicationFailure `ExportFileGone` */
async function attachable(storage: DocumentStorage, key: string): Promise<Buffer | null> {
  const sizeBytes = await storage.sizeOf(key);
  if (sizeBytes !== null && sizeBytes > LIMITS.exports.attachedBytes) return null;
  const content = sizeBytes === null ? null : await storage.read(key);
  if (content !== null) return content;
  throw ApplicationFailure.nonRetryable(
    'The store for documents has lost the file before its mail was sent.',
    EXPORT_FAILURES.fileGone,
  );
}

/** Extends the link at each try, so that it is valid as long as the mail says. */
async function openLink(
  { db, config }: ExportApp,
  { id, accountId, fileUuid }: ExportRecord,
  filename: string,
): Promise<ExportMailLink> {
  const expiresAt = isoAfter(LIMITS.exports.linkDays * DAY_SECONDS);
  await openExportLink(db, { exportId: id, accountId, expiresAt });
  return { url: `${config.baseUrl}/storage/export/${fileUuid}/${filename}`, expiresAt };
}

/** Whether an earlier try sent the mail without recording it. */
function wasSentBefore(): boolean {
  const details: unknown = activityInfo().heartbeatDetails;
  return details === SENT;
}
