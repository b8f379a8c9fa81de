import { promisify } from 'node:util';
import { deflateRaw, inflateRaw } from 'node:zlib';
import type { ExportFormat, ExportRow } from '../../domain/exports.js';
import { csvRows } from './csv.js';

const deflate = promisify(deflateRaw);
const inflate = promisify(inflateRaw);
/** Parts live for minutes: little work counts for more than little space. */
const LEVEL = 1;

/** Rows as they are stored until the mails are put together. */
export interface EncodedPart {
  /** Deflated. */
  content: Buffer;
  rawBytes: number;
}

/** CSV is stored as it will be sent; for a workbook, whose row numbers depend on its file, the values are. */
export async function encodePart(format: ExportFormat, rows: readonly ExportRow[]): Promise<EncodedPart> {
  const raw = Buffer.from(format === 'csv' ? csvRows(rows) : JSON.stringify(rows));
  return { content: await deflate(raw, { level: LEVEL }), rawBytes: raw.length };
}

/** The CSV text of a part. */
export async function decodeCsvPart(content: Buffer): Promise<Buffer> {
  return await inflate(content);
}

/** The rows of a part that was encoded for a workbook. */
export async function decodeRowsPart(content: Buffer): Promise<ExportRow[]> {
  const parsed: unknown = JSON.parse((await inflate(content)).toString('utf8'));
  if (!Array.isArray(parsed)) throw new TypeError('A part of an export does not hold rows.');
  return parsed.map(toRow);
}

function toRow(value: unknown): ExportRow {
  if (!Array.isArray(value)) throw new TypeError('A part of an export holds something that is no row.');
  return value.map((cell: unknown) => {
    if (cell === null || typeof cell === 'string' || typeof cell === 'number' || typeof cell === 'boolean')
      return cell;
    throw new TypeError('A row of an export holds something that is no value.');
  });
}
