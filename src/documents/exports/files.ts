import { buffer } from 'node:stream/consumers';
import type { ExportFormat, ExportRow } from '../../domain/exports.js';
import { CSV_HEAD } from './csv.js';
import { DEFLATE_END, decodeRowsPart, deflatePiece, inflatePiece } from './parts.js';
import { xlsxStream } from './xlsx.js';
import { checksum, type DeflatedFile, zipOfDeflated } from './zip.js';

const MIB = 1024 * 1024;
/** A file above this is zipped. */
const ZIP_ABOVE_BYTES = 5 * MIB;
/** No mail carries more than this; an export that is larger is split. */
const MAIL_LIMIT_BYTES = 20 * MIB;
/**
 * What the parts of one mail may have in the store. CSV is sent as it is stored; a workbook adds the marks around its
 * values, which cost about half as much again.
 */
const STORED_LIMIT_BYTES: Readonly<Record<ExportFormat, number>> = {
  csv: MAIL_LIMIT_BYTES - MIB,
  xlsx: (MAIL_LIMIT_BYTES * 3) / 5,
};
/** A sheet holds 1,048,576 rows at most. */
const MAX_ROWS: Readonly<Record<ExportFormat, number>> = { csv: Number.POSITIVE_INFINITY, xlsx: 1_000_000 };
const CONTENT_TYPES: Readonly<Record<ExportFormat, string>> = {
  csv: 'text/csv; charset=utf-8',
  xlsx: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
};

/** A part by its size. */
export interface PartSize {
  number: number;
  rowCount: number;
  storedBytes: number;
}

/** Which parts go into one mail, by their numbers, both ends included. Mails are numbered from 1. */
export interface MailPlan {
  number: number;
  firstPart: number;
  lastPart: number;
}

/** Puts the parts into as few mails as their sizes allow; an export without rows is one mail without parts. */
export function planMails(format: ExportFormat, parts: readonly PartSize[]): MailPlan[] {
  const plans: MailPlan[] = [];
  let bytes = 0;
  let rows = 0;
  for (const part of parts) {
    const current = plans.at(-1);
    bytes += part.storedBytes;
    rows += part.rowCount;
    if (current === undefined || bytes > STORED_LIMIT_BYTES[format] || rows > MAX_ROWS[format]) {
      plans.push({ number: plans.length + 1, firstPart: part.number, lastPart: part.number });
      bytes = part.storedBytes;
      rows = part.rowCount;
    } else {
      current.lastPart = part.number;
    }
  }
  return plans.length === 0 ? [{ number: 1, firstPart: 1, lastPart: 0 }] : plans;
}

/** Name of an export's file: `shipments-<license id>-<YYYYMMDD-HHmmss>.<format>`, by the time it was asked for, UTC. */
export function exportFilename(args: { licenseId: number; createdAt: string; format: ExportFormat }): string {
  const [day = '', time = ''] = args.createdAt.slice(0, 19).replaceAll(/[-:]/g, '').split('T');
  return `shipments-${args.licenseId}-${day}-${time}.${args.format}`;
}

/** A file to be attached. */
export interface ExportFile {
  filename: string;
  contentType: string;
  content: Buffer;
}

/** What one mail's file is made of. `parts`: each part as stored, in order. */
export interface FileSource {
  format: ExportFormat;
  /** Of the whole export. */
  filename: string;
  number: number;
  count: number;
  parts: () => AsyncIterable<Buffer>;
}

/** Builds the file of one mail: as it is while it is small, zipped when it is not, numbered when it is one of several. */
export async function buildFile(source: FileSource): Promise<ExportFile> {
  const { format, number, count } = source;
  const stem = source.filename.slice(0, -format.length - 1) + (count === 1 ? '' : `-${number}-of-${count}`);
  const filename = `${stem}.${format}`;
  const pieces = format === 'csv' ? csvPieces(source.parts()) : await workbookPieces(source.parts());
  const file = await collect(filename, pieces);
  if (file.rawBytes > ZIP_ABOVE_BYTES) {
    return { filename: `${stem}.zip`, contentType: 'application/zip', content: zipOfDeflated(file) };
  }
  const content = await inflatePiece(Buffer.concat(file.pieces));
  return { filename, contentType: CONTENT_TYPES[format], content };
}

/** Puts deflated pieces together, and reads them once for their checksum. */
async function collect(
  name: string,
  pieces: AsyncIterable<Buffer> | Iterable<Buffer>,
): Promise<DeflatedFile> {
  const kept: Buffer[] = [];
  let crc = 0;
  let rawBytes = 0;
  for await (const piece of pieces) {
    const raw = await inflatePiece(piece);
    crc = checksum(raw, crc);
    rawBytes += raw.length;
    kept.push(piece);
  }
  return { name, pieces: [...kept, DEFLATE_END], crc, rawBytes };
}

async function* csvPieces(parts: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  yield await deflatePiece(Buffer.from(CSV_HEAD));
  yield* parts;
}

async function workbookPieces(parts: AsyncIterable<Buffer>): Promise<Buffer[]> {
  return [await deflatePiece(await buffer(xlsxStream(rowPages(parts))))];
}

async function* rowPages(parts: AsyncIterable<Buffer>): AsyncGenerator<readonly ExportRow[]> {
  for await (const part of parts) yield await decodeRowsPart(part);
}
