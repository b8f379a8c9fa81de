import { inflateRawSync } from 'node:zlib';

/** The packed content of a workbook is larger than allowed, or cannot be read. */
export class PackedTooLarge extends Error {}

const END = 0x06054b50;
const ENTRY = 0x02014b50;

/**
 * Unpacks every part of a zip file once and drops it, so that one that would fill the memory is refused before a reader of
 * workbooks meets it: sizes that a file says of itself may be lies. @throws PackedTooLarge, RangeError, Error for no zip
 */
export function refuseLargeZip(file: Buffer, mostBytes: number): void {
  let end = file.length - 22;
  while (end >= 0 && file.readUInt32LE(end) !== END) end -= 1;
  if (end < 0) throw new Error('The file is no zip file.');
  let at = file.readUInt32LE(end + 16);
  let left = mostBytes;
  for (let count = file.readUInt16LE(end + 10); count > 0; count -= 1) {
    if (file.readUInt32LE(at) !== ENTRY) throw new Error('The file is no zip file.');
    left -= unpackedBytes(file, at, left);
    at += 46 + file.readUInt16LE(at + 28) + file.readUInt16LE(at + 30) + file.readUInt16LE(at + 32);
  }
}

function unpackedBytes(file: Buffer, at: number, most: number): number {
  const method = file.readUInt16LE(at + 10);
  const packed = file.readUInt32LE(at + 20);
  const local = file.readUInt32LE(at + 42);
  if (packed === 0) return 0;
  const start = local + 30 + file.readUInt16LE(local + 26) + file.readUInt16LE(local + 28);
  if (method !== 8) return sizeWithin(packed, most);
  try {
    return inflateRawSync(file.subarray(start, start + packed), { maxOutputLength: Math.max(most, 1) })
      .length;
  } catch (error) {
    if (error instanceof RangeError) throw new PackedTooLarge('The file holds too much.');
    throw error;
  }
}

function sizeWithin(bytes: number, most: number): number {
  if (bytes > most) throw new PackedTooLarge('The file holds too much.');
  return bytes;
}
