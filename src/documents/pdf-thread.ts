import { constants, inflateRawSync } from 'node:zlib';
import {
  PDFArray,
  PDFName,
  PDFObjectStreamParser,
  type PDFRawStream,
  PDFXRefStreamParser,
} from '@cantoo/pdf-lib';
import { countPdfPages, type PageCount } from './pdf.js';

const UNPACKED_BYTES = 32 * 1024 * 1024;

let leftBytes = UNPACKED_BYTES;
let isRefused = false;

boundUnpacking();
// The library logs warnings with text from the file, which could fill the worker's log.
console.warn = () => undefined;

/** Counts the pages of one PDF, in a thread; null when its object streams are too large. */
export async function countPages(bytes: Uint8Array): Promise<PageCount> {
  leftBytes = UNPACKED_BYTES;
  isRefused = false;
  const pages = await countPdfPages(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length));
  return isRefused ? null : pages;
}

/**
 * Limits unpacking: the library unpacks objects to any size, outside the thread's heap limit, and a megabyte
 * can hold a gigabyte. It has no option, so both parsers of object streams are wrapped.
 */
function boundUnpacking(): void {
  const { forStream: objectsOf } = PDFObjectStreamParser;
  PDFObjectStreamParser.forStream = (stream, ...others) => {
    takeUnpacked(stream);
    return objectsOf(stream, ...others);
  };
  const { forStream: referencesOf } = PDFXRefStreamParser;
  PDFXRefStreamParser.forStream = (stream) => {
    takeUnpacked(stream);
    return referencesOf(stream);
  };
}

/**
 * The library skips a stream refused here. The caller then rejects the whole file, unless the stream is no deflated one:
 * the library reads an encrypted file twice, first as it is. @throws Error
 */
function takeUnpacked(stream: PDFRawStream): void {
  try {
    leftBytes -= unpackedBytes(stream);
    if (leftBytes < 0) throw new Error('The object streams are too large.');
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'Z_DATA_ERROR') throw error;
    isRefused = true;
    leftBytes = 0;
    throw error;
  }
}

/**
 * Object streams are deflated once; anything else is refused, as each further step could grow. Like the
 * library, it ignores the checksum. @throws Error
 */
function unpackedBytes({ dict, contents }: PDFRawStream): number {
  const filter = dict.lookup(PDFName.of('Filter'));
  if (filter === undefined) return contents.length;
  const only = filter instanceof PDFArray && filter.size() === 1 ? filter.lookup(0) : filter;
  if (only !== PDFName.of('FlateDecode')) throw new Error('The object streams have an unsupported filter.');
  // After zlib's head of two bytes.
  const unpacked = inflateRawSync(contents.subarray(2), {
    maxOutputLength: Math.max(leftBytes, 1),
    finishFlush: constants.Z_SYNC_FLUSH,
  });
  return unpacked.length;
}
