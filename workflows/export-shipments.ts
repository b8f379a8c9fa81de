import {
  ActivityFailure,
  ApplicationFailure,
  CancellationScope,
  isCancellation,
  setCurrentDetails,
} from '@temporalio/workflow';
import {
  EXPORT_FAILURES,
  EXPORT_MAIL_TRIES,
  type ExportShipmentsInput,
  type ExportShipmentsResult,
} from '../src/contracts/export-shipments.js';
import { exporting, mailingExports } from './lib/export-proxies.js';

/** Writes a licence's shipments into a file and mails it to the account. Cancelling it frees the licence's place. */
export async function exportShipments(input: ExportShipmentsInput): Promise<ExportShipmentsResult> {
  try {
    const begun = await exporting.beginExport.executeWithOptions({ summary: 'take the export up' }, [input]);
    if (!begun) return { rows: 0, mails: 0 };
    const rows = await writeRows(input);
    const mails = await mailFiles(input, rows);
    await exporting.completeExport.executeWithOptions({ summary: `complete: ${rows} rows` }, [
      { ...input, rowCount: rows },
    ]);
    setCurrentDetails(`Done: ${rows} rows in ${mails} mail(s).`);
    return { rows, mails };
  } catch (error) {
    const reason = reasonOf(error);
    await CancellationScope.nonCancellable(() =>
      exporting.failExport.executeWithOptions({ summary: `fail: ${reason}` }, [{ ...input, error: reason }]),
    );
    throw error;
  }
}

async function writeRows(input: ExportShipmentsInput): Promise<number> {
  for (let rows = 0; ; ) {
    setCurrentDetails(`Writing rows: ${rows} so far.`);
    const progress = await exporting.writeExportRows.executeWithOptions(
      { summary: `rows from ${rows + 1} on` },
      [input],
    );
    rows = progress.rows;
    if (!progress.more) return rows;
  }
}

async function mailFiles(input: ExportShipmentsInput, rows: number): Promise<number> {
  const mails = await exporting.planExportMails.executeWithOptions({ summary: 'decide on the mails' }, [
    input,
  ]);
  for (let number = 1; number <= mails; number++) {
    setCurrentDetails(`${rows} rows are written. Mailing ${number} of ${mails}.`);
    await mailingExports.mailExport.executeWithOptions({ summary: `mail ${number} of ${mails}` }, [
      { ...input, number },
    ]);
  }
  return mails;
}

/** What the account reads as the export's error. */
function reasonOf(error: unknown): string {
  if (isCancellation(error))
    return 'The export was cancelled by an operator. Ask for it again when it is needed.';
  const cause = error instanceof ActivityFailure ? error.cause : error;
  const type = cause instanceof ApplicationFailure ? cause.type : undefined;
  switch (type) {
    case EXPORT_FAILURES.mailRefused:
      return "The mail server refused the mail to the account's e-mail address.";
    case EXPORT_FAILURES.mailNotSent:
      return `The mail with the export could not be handed over in ${EXPORT_MAIL_TRIES} tries.`;
    default:
      return 'The export could not be prepared.';
  }
}
