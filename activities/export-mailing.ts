import { ApplicationFailure, activityInfo } from '@temporalio/activity';
import { EXPORT_FAILURES, type ExportShipmentsInput } from '../src/contracts/export-shipments.js';
import { markExportMailed, openExportLink } from '../src/db/queries/exports/export-files.js';
import {
  completeExport,
  failExport,
  findExport,
  getExportAddressee,
} from '../src/db/queries/exports/exports.js';
import { type ExportMailLink, renderExportMail } from '../src/documents/mails/export-mail.js';
import type { DocumentStorage } from '../src/documents/storage.js';
import {
  EXPORT_CONTENT_TYPES,
  type ExportRecord,
  exportFileKey,
  exportFilename,
} from '../src/domain/exports.js';
import { LIMITS } from '../src/lib/limits/values.js';
import { DAY_SECONDS, isoAfter } from '../src/lib/time.js';
import { MailError, type Mailer, type OutgoingMail } from '../src/outbound/mail.js';
import type { App } from '../src/services/app.js';
import { exportEnded, processing } from './export-writing.js';
import { withHeartbeat } from './heartbeat.js';

const SENT = 'sent';

export type ExportMailingApp = Pick<App<'baseUrl'>, 'db' | 'storage' | 'mailer' | 'config'>;

/** Steps from the finished file to the mail and the export's end, all repeatable. */
export function createExportMailingActivities(app: ExportMailingApp) {
  const { db } = app;
  return {
    /**
     * Sends the mail unless an earlier try did. A mail is sent twice, with the same Message-ID, only if the
     * connection broke before the server's answer. @throws ApplicationFailure `ExportMailRefused` (final),
     * `ExportMailNotSent`, `ExportEnded`
     */
    async mailExport(input: ExportShipmentsInput & { rowCount: number }): Promise<void> {
      await withHeartbeat(async (beat) => {
        const isSent = wasSentBefore();
        if (isSent) beat(SENT);
        const record = await processing(db, input);
        if (record.isMailed) return;
        if (!isSent) await handOver(app.mailer, await compose(app, record, input.rowCount));
        // If MySQL fails now, the next try reads this.
        beat(SENT);
        await markExportMailed(db, input);
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

async function handOver(mailer: Mailer, mail: OutgoingMail): Promise<void> {
  try {
    await mailer.send(mail);
  } catch (error) {
    if (!(error instanceof MailError)) throw error;
    if (error.kind === 'refused')
      throw ApplicationFailure.nonRetryable(error.message, EXPORT_FAILURES.mailRefused);
    throw ApplicationFailure.retryable(error.message, EXPORT_FAILURES.mailNotSent);
  }
}

async function compose(app: ExportMailingApp, record: ExportRecord, rowCount: number): Promise<OutgoingMail> {
  const ref = { accountId: record.accountId, exportId: record.id };
  const addressee = await getExportAddressee(app.db, ref);
  const filename = exportFilename(record);
  const content = await attachable(app.storage, exportFileKey(record));
  const link = content === null ? await openLink(app, record, filename) : null;
  const made = record.createdAt.replaceAll(/\D/g, '');
  const contentType = EXPORT_CONTENT_TYPES[record.format];
  return {
    to: addressee.email,
    ...renderExportMail({ ...addressee, ...record, rowCount, filename, link }),
    messageId: `export-${record.id}.${made}@parcelworks`,
    attachments: content === null ? [] : [{ filename, contentType, content }],
  };
}

/** The file if it is small enough, else null. @throws ApplicationFailure `ExportEnded` when it is missing */
async function attachable(storage: DocumentStorage, key: string): Promise<Buffer | null> {
  const sizeBytes = await storage.sizeOf(key);
  if (sizeBytes === null) throw exportEnded();
  return sizeBytes > LIMITS.exports.attachedBytes ? null : await storage.read(key);
}

/** Extends the link at each try, so that it is valid as long as the mail says. */
async function openLink(
  { db, config }: ExportMailingApp,
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
