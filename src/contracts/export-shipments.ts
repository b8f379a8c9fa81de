export interface ExportShipmentsInput {
  exportId: number;
  accountId: number;
  licenseId: number;
}

/** Rows written; none when the export had ended before the run began. */
export interface ExportShipmentsResult {
  rows: number;
}

/** Fails with one of {@link EXPORT_FAILURES}. */
export type ExportShipments = (input: ExportShipmentsInput) => Promise<ExportShipmentsResult>;

/** Failure types of `exportShipments`. The account reads the message as the export's error. */
export const EXPORT_FAILURES = {
  /** The mail server rejects mails to this account for good. */
  mailRefused: 'ExportMailRefused',
  /** The mail server is unreachable or did not accept the mail; retried. */
  mailNotSent: 'ExportMailNotSent',
  /** The export was ended from outside. */
  ended: 'ExportEnded',
} as const;
