/** Input of the workflow `exportShipments`. */
export interface ExportShipmentsInput {
  exportId: number;
  accountId: number;
  licenseId: number;
}

/** What an export came to: no rows where it had ended before the run began. */
export interface ExportShipmentsResult {
  rows: number;
}

/** The workflow `exportShipments`. Fails with one of {@link EXPORT_FAILURES}. */
export type ExportShipments = (input: ExportShipmentsInput) => Promise<ExportShipmentsResult>;

/** Types of the failures that end `exportShipments`. The message is what the account reads as the export's error. */
export const EXPORT_FAILURES = {
  /** The mail server will never take a mail to this account. */
  mailRefused: 'ExportMailRefused',
  /** The mail server cannot be reached or did not take the mail: tried again. */
  mailNotSent: 'ExportMailNotSent',
  /** The export was ended from outside while it ran. */
  ended: 'ExportEnded',
} as const;
