import type { StatusCode } from './statuses.js';

/** File format of an export. */
export type ExportFormat = 'csv' | 'xlsx';

/** Media types by format. */
export const EXPORT_CONTENT_TYPES: Readonly<Record<ExportFormat, string>> = {
  csv: 'text/csv; charset=utf-8',
  xlsx: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
};

/** Which shipments are exported; missing fields do not filter. Times are ISO 8601 UTC, inclusive. */
export interface ExportFilter {
  active?: boolean;
  type?: 1 | 2;
  status?: StatusCode;
  /** Whether a label was made. */
  labelGenerated?: boolean;
  createdFrom?: string;
  createdTo?: string;
}

/** A stored export. Timestamps: ISO 8601 UTC with microseconds. */
export interface ExportRecord {
  id: number;
  accountId: number;
  /** Null over all licenses of the account. */
  licenseId: number | null;
  type: string;
  platform: string;
  format: ExportFormat;
  filter: ExportFilter;
  /** `pending` and `processing` are in flight: one export per license, and one over all. */
  status: 'pending' | 'processing' | 'completed' | 'failed';
  rowCount: number | null;
  filename: string | null;
  error: string | null;
  /** Random name of the file in the store and in its link. Null before the file is written. */
  fileUuid: string | null;
  /** Rows of the file so far; all of them once it is whole. Null before the first. */
  rowsWritten: number | null;
  /** Tries of the step under way: the writing, then the mail. */
  attempts: number;
  /** Why the last try of that step failed, in words; null while none has. */
  lastError: string | null;
  /** When the step is tried again; null while a try is under way. */
  nextAttemptAt: string | null;
  /** Whether the mail server accepted the mail. */
  isMailed: boolean;
  createdAt: string;
  updatedAt: string;
}

/**
 * Name of an export's file: `shipments-<license id or all>-<YYYYMMDD-HHmmss>.<format>`, with the request's UTC time.
 */
export function exportFilename({
  licenseId,
  createdAt,
  format,
}: Pick<ExportRecord, 'licenseId' | 'createdAt' | 'format'>): string {
  const [day = '', time = ''] = createdAt.slice(0, 19).replaceAll(/[-:]/g, '').split('T');
  return `shipments-${licenseId ?? 'all'}-${day}-${time}.${format}`;
}

/** Store key of an export's file. @throws Error before the file has a name */
export function exportFileKey({ fileUuid, format }: Pick<ExportRecord, 'fileUuid' | 'format'>): string {
  if (fileUuid === null) throw new Error('The export has no file.');
  return `exports/${fileUuid}.${format}`;
}

/** `moment` is ISO 8601 UTC text, `decimal` text with two decimals, `link` one of our URLs. */
export type ColumnKind = 'text' | 'link' | 'integer' | 'decimal' | 'boolean' | 'moment';

/** `width`: characters, for spreadsheets. */
export interface ExportColumn<Name extends string = string> {
  name: Name;
  kind: ColumnKind;
  width: number;
}

/**
 * The columns of an exported shipment. Readers rely on the order: add new ones at the end.
 */
export const EXPORT_COLUMNS = [
  { name: 'uuid', kind: 'text', width: 38 },
  { name: 'tracking_code', kind: 'text', width: 18 },
  { name: 'carrier', kind: 'text', width: 16 },
  { name: 'status', kind: 'text', width: 18 },
  { name: 'service_type', kind: 'integer', width: 12 },
  { name: 'is_active', kind: 'boolean', width: 10 },
  { name: 'order_id', kind: 'text', width: 16 },
  { name: 'order_number', kind: 'text', width: 16 },
  { name: 'recipient_name', kind: 'text', width: 26 },
  { name: 'recipient_phone', kind: 'text', width: 18 },
  { name: 'recipient_company', kind: 'text', width: 22 },
  { name: 'recipient_street', kind: 'text', width: 26 },
  { name: 'recipient_number', kind: 'text', width: 18 },
  { name: 'recipient_city', kind: 'text', width: 20 },
  { name: 'recipient_state', kind: 'text', width: 16 },
  { name: 'recipient_zip', kind: 'text', width: 14 },
  { name: 'recipient_country', kind: 'text', width: 18 },
  { name: 'pickup_point_id', kind: 'text', width: 16 },
  { name: 'packages', kind: 'integer', width: 10 },
  { name: 'cod_amount', kind: 'decimal', width: 12 },
  { name: 'cod_currency', kind: 'text', width: 13 },
  { name: 'external_id', kind: 'text', width: 18 },
  { name: 'created_at', kind: 'moment', width: 20 },
  { name: 'updated_at', kind: 'moment', width: 20 },
  { name: 'recipient_entrance', kind: 'text', width: 18 },
  { name: 'recipient_floor', kind: 'text', width: 14 },
  { name: 'recipient_apartment', kind: 'text', width: 20 },
  { name: 'note', kind: 'text', width: 30 },
  { name: 'delivered_at', kind: 'moment', width: 20 },
  { name: 'tracking_url', kind: 'link', width: 46 },
] as const satisfies readonly ExportColumn[];

/** The last column of an export over all licenses: the name of the shipment's license, such as its store's. */
const LICENSE_COLUMN = { name: 'license', kind: 'text', width: 26 } as const satisfies ExportColumn;

type ColumnName = (typeof EXPORT_COLUMNS)[number]['name'] | (typeof LICENSE_COLUMN)['name'];

/** The columns of an export's file. */
export function exportColumns({
  licenseId,
}: Pick<ExportRecord, 'licenseId'>): readonly ExportColumn<ColumnName>[] {
  return licenseId === null ? [...EXPORT_COLUMNS, LICENSE_COLUMN] : EXPORT_COLUMNS;
}

/** Progress and cancellation of writing a file. */
export interface ExportWriting {
  /** Receives the number of rows written so far. */
  onRows(count: number): void;
  /** Aborts the writing; no file is left. */
  signal: AbortSignal;
}

/** The export was ended from outside while its file was written. */
export class ExportEndedError extends Error {
  constructor() {
    super('The export was ended from outside.');
  }
}

/** Values in the order of {@link exportColumns}. */
export type ExportRow = readonly (string | number | boolean | null)[];
