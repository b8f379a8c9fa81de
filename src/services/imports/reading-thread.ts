import { gunzipSync, gzipSync } from 'node:zlib';
import { readTable, type Unreadable } from '../../documents/imports/table.js';
import type { ImportColumns, ImportTable } from '../../domain/imports/fields.js';
import { type ImportedOrder, ordersOf } from '../../domain/imports/orders.js';
import { countryCode } from '../../lib/countries.js';

/** A file to read, or one that was read, whose orders are wanted. */
export type ReadingJob =
  | { file: Uint8Array; language: string }
  | { packed: Uint8Array; columns: ImportColumns };

/** A table as it is stored (gzip of JSON), with its header and first rows; or the orders of one. */
export type Reading =
  | { packed: Uint8Array; header: string[]; sample: string[][] }
  | { orders: ImportedOrder[] }
  | Unreadable;

/** Rows that the choice of columns shows. */
const SAMPLE = 4;

/** Reads a file, or the orders of one, in a thread. */
export async function readImport(job: ReadingJob): Promise<Reading> {
  if ('file' in job) {
    const table = await readTable(bufferOf(job.file), job.language);
    if (typeof table === 'string') return table;
    const packed = gzipSync(JSON.stringify(table), { level: 4 });
    return { packed, header: table.header, sample: sampleOf(table) };
  }
  const table = tableOf(job.packed);
  return { orders: ordersOf(table, job.columns, countryCode) };
}

/** The header and the first rows of a stored table. */
export function openTable(packed: Uint8Array): { header: string[]; sample: string[][] } {
  const table = tableOf(packed);
  return { header: table.header, sample: sampleOf(table) };
}

function sampleOf({ rows }: ImportTable): string[][] {
  return rows.slice(0, SAMPLE).map(({ cells }) => cells);
}

function tableOf(packed: Uint8Array): ImportTable {
  const table: unknown = JSON.parse(gunzipSync(packed).toString('utf8'));
  if (isTable(table)) return table;
  throw new Error('The kept table of a file is not one.');
}

/** Only what {@link readImport} has written is read. */
function isTable(value: unknown): value is ImportTable {
  return typeof value === 'object' && value !== null && 'header' in value && 'rows' in value;
}

function bufferOf({ buffer, byteOffset, byteLength }: Uint8Array): Buffer {
  return Buffer.from(buffer, byteOffset, byteLength);
}
