import { ApplicationFailure, activityInfo } from '@temporalio/activity';
import {
  EXPORT_FAILURES,
  type ExportShipmentsInput,
  type MailExportInput,
} from '../src/contracts/export-shipments.js';
import type { Database } from '../src/db/database.js';
import { listExportMails, markExportMailed, type StoredExportMail } from '../src/db/queries/export-mails.js';
import { deleteExportWork, getExportPart, listExportParts } from '../src/db/queries/export-parts.js';
import { completeExport, failExport, findExport, getExportAddressee } from '../src/db/queries/exports.js';
import { buildFile, type ExportFile, exportFilename } from '../src/documents/exports/files.js';
import { exportMailTexts } from '../src/documents/exports/mail-texts.js';
import type { ExportRecord } from '../src/domain/exports.js';
import { MailError, type Mailer, type OutgoingMail } from '../src/outbound/mail.js';
import { exportEnded, processing } from './export-writing.js';
import { withHeartbeat } from './heartbeat.js';

const SENT = 'sent';

/** What the activities that mail an export are given. */
export interface ExportMailingDeps {
  db: Database;
  mailer: Mailer;
}

/** From stored parts to mails, and the end of an export. Each may be run again at any time. */
export function createExportMailingActivities({ db, mailer }: ExportMailingDeps) {
  return {
    /**
     * Hands one mail to the mail server, unless an earlier try did. Only where the connection broke between the
     * server's taking the mail over and its answer does a mail come twice, with the same Message-ID.
     * @throws ApplicationFailure `ExportMailRefused` (for good), `ExportMailNotSent`, `ExportEnded`
     */
    async mailExport(input: MailExportInput): Promise<void> {
      await withHeartbeat(async (beat) => {
        const record = await processing(db, input);
        const mail = (await listExportMails(db, input)).find(({ number }) => number === input.number);
        if (mail === undefined) throw exportEnded();
        if (!mail.isMailed && !wasSentBefore()) {
          await handOver(mailer, await compose(db, record, mail));
          // Where MySQL goes away right now, the next try learns it from here.
          beat(SENT);
        }
        await markExportMailed(db, input, input.number);
      });
    },

    /** Ends an export whose mails are out. */
    async completeExport(input: ExportShipmentsInput & { rowCount: number }): Promise<void> {
      const { accountId, exportId, rowCount } = input;
      const record = await findExport(db, input);
      if (record === null) throw exportEnded();
      await completeExport(db, { accountId, exportId, rowCount, filename: exportFilename(record) });
      await deleteExportWork(db, input);
    },

    /** Ends an export with the reason that the account reads; one that has ended stays as it is. */
    async failExport(input: ExportShipmentsInput & { error: string }): Promise<void> {
      const { accountId, exportId, error } = input;
      await failExport(db, { accountId, exportId, error });
      await deleteExportWork(db, input);
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

async function compose(db: Database, record: ExportRecord, mail: StoredExportMail): Promise<OutgoingMail> {
  const ref = { accountId: record.accountId, exportId: record.id };
  const addressee = await getExportAddressee(db, ref);
  const parts = await listExportParts(db, ref);
  const file = await buildMailFile(db, record, mail);
  const texts = exportMailTexts({
    ...addressee,
    createdAt: record.createdAt,
    filter: record.filter,
    rowCount: parts.reduce((sum, part) => sum + part.rowCount, 0),
    filename: file.filename,
    number: mail.number,
    count: mail.count,
  });
  const made = record.createdAt.replaceAll(/\D/g, '');
  return {
    to: addressee.email,
    ...texts,
    messageId: `export-${record.id}-${mail.number}.${made}@parcelworks`,
    attachments: [file],
  };
}

async function buildMailFile(
  db: Database,
  record: ExportRecord,
  mail: StoredExportMail,
): Promise<ExportFile> {
  const ref = { accountId: record.accountId, exportId: record.id };
  async function* contents(): AsyncGenerator<Buffer> {
    for (let number = mail.firstPart; number <= mail.lastPart; number++)
      yield await getExportPart(db, ref, number);
  }
  return await buildFile({
    format: record.format,
    filename: exportFilename(record),
    number: mail.number,
    count: mail.count,
    parts: contents,
  });
}

/** Whether an earlier try of this activity handed the mail over and could not write that down. */
function wasSentBefore(): boolean {
  const details: unknown = activityInfo().heartbeatDetails;
  return details === SENT;
}
