import { promisify } from 'node:util';
import { constants, deflateRaw, inflateRaw } from 'node:zlib';
import type { ExportFormat, ExportRow } from '../../domain/exports.js';
import { csvRows } from './csv.js';

const deflate = promisify(deflateRaw);
const inflate = promisify(inflateRaw);
/** More work would save few bytes: the rows' ids are random. */
const LEVEL = 1;
/** A piece without an end: pieces one after the other, and then {@link DEFLATE_END}, are one deflated stream. */
const OPEN_END = { finishFlush: constants.Z_SYNC_FLUSH } as const;

/** Ends a stream of deflated pieces: an empty last block. */
export const DEFLATE_END = Buffer.from([0x03, 0x00]);

/** Rows as they are stored until the mails are put together. */
export interface EncodedPart {
  /** A piece of a deflated stream. */
  content: Buffer;
  rawBytes: number;
}

/** CSV is stored as it will be sent; for a workbook, whose row numbers depend on its file, the values are. */
export async function encodePart(format: ExportFormat, rows: readonly ExportRow[]): Promise<EncodedPart> {
  const raw = Buffer.from(format === 'csv' ? csvRows(rows) : JSON.stringify(rows));
  return { content: await deflatePiece(raw), rawBytes: raw.length };
}

/** Bytes as a piece of a deflated stream. */
export async function deflatePiece(raw: Buffer): Promise<Buffer> {
  return await deflate(raw, { level: LEVEL, ...OPEN_END });
}

/** The bytes of one piece of a deflated stream. */
export async function inflatePiece(piece: Buffer): Promise<Buffer> {
  return await inflate(piece, OPEN_END);
}

/** The rows of a part that was encoded for a workbook. */
export async function decodeRowsPart(content: Buffer): Promise<ExportRow[]> {
  const parsed: unknown = JSON.parse((await inflatePiece(content)).toString('utf8'));
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
