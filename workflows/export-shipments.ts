import {
  ActivityFailure,
  ApplicationFailure,
  CancellationScope,
  isCancellation,
  setCurrentDetails,
} from '@temporalio/workflow';
import { EXPORT_FAILURES, type ExportShipmentsInput } from '../src/contracts/export-shipments.js';
import { RETRIES } from '../src/contracts/retries.js';
import { exporting, mailingExports } from './lib/proxies.js';

/** Exports a license's shipments to a file and mails it, or its link. Cancelling frees the license's slot. */
export async function exportShipments(input: ExportShipmentsInput): Promise<{ rows: number }> {
  try {
    const begun = await exporting.beginExport.executeWithOptions({ summary: 'take the export up' }, [input]);
    if (!begun) return { rows: 0 };
    const rows = await writeRows(input);
    await mailFile(input, rows);
    await exporting.completeExport.executeWithOptions({ summary: `complete: ${rows} rows` }, [
      { ...input, rowCount: rows },
    ]);
    setCurrentDetails(`Done: ${rows} rows.`);
    return { rows };
  } catch (error) {
    const reason = reasonOf(error);
    setCurrentDetails(`No file was mailed: ${reason}`);
    await CancellationScope.nonCancellable(() =>
      exporting.failExport.executeWithOptions({ summary: `fail: ${reason}` }, [{ ...input, error: reason }]),
    );
    throw error;
  }
}

async function writeRows(input: ExportShipmentsInput): Promise<number> {
  setCurrentDetails('Writing the file. The heartbeat of the activity tells how many rows are written.');
  return await exporting.writeExportRows.executeWithOptions({ summary: 'write the file' }, [input]);
}

async function mailFile(input: ExportShipmentsInput, rowCount: number): Promise<void> {
  setCurrentDetails(`${rowCount} rows are written. Mailing the file or its link.`);
  await mailingExports.mailExport.executeWithOptions({ summary: 'mail the file or its link' }, [
    { ...input, rowCount },
  ]);
}

/** The export's error as the account reads it. */
function reasonOf(error: unknown): string {
  if (isCancellation(error))
    return 'The export was cancelled by an operator. Ask for it again when it is needed.';
  const cause = error instanceof ActivityFailure ? error.cause : error;
  const type = cause instanceof ApplicationFailure ? cause.type : undefined;
  switch (type) {
    case EXPORT_FAILURES.mailRefused:
      return "The mail server refused the mail to the account's e-mail address.";
    case EXPORT_FAILURES.mailNotSent:
      return `The mail with the export could not be handed over in ${RETRIES.exportMail.maximumAttempts} tries.`;
    case EXPORT_FAILURES.fileGone:
      return 'The file was lost on our side before its mail was sent. Ask for the export again.';
    default:
      return 'The export could not be prepared.';
  }
}
