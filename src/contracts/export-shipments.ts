export interface ExportShipmentsInput {
  exportId: number;
  accountId: number;
  /** Null over all licenses of the account. */
  licenseId: number | null;
}

/** Failure types of `exportShipments`. The account reads the message as the export's error. */
export const EXPORT_FAILURES = {
  /** The mail server rejects mails to this account for good. */
  mailRefused: 'ExportMailRefused',
  /** The mail server is unreachable or did not accept the mail; retried. */
  mailNotSent: 'ExportMailNotSent',
  /** The store has lost the file before its mail was sent. */
  fileGone: 'ExportFileGone',
  /** The export was ended from outside. */
  ended: 'ExportEnded',
} as const;
