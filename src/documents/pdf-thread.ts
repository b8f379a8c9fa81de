import { constants, inflateRawSync } from 'node:zlib';
import {
  PDFArray,
  PDFName,
  PDFObjectStreamParser,
  type PDFRawStream,
  PDFXRefStreamParser,
} from '@cantoo/pdf-lib';
import { countPdfPages } from './pdf.js';

/** What the packed objects of one file may take unpacked; those of a label take some KB. */
const MAX_UNPACKED_BYTES = 32 * 1024 * 1024;
/** Of zlib's format, before what is deflated. */
const ZLIB_HEAD_BYTES = 2;

let leftBytes = MAX_UNPACKED_BYTES;
let isRefused = false;

boundUnpacking();
// The library warns of each odd number in a file, with the carrier's text: a label could fill the worker's log.
console.warn = () => undefined;

/** Counts the pages of one PDF, in a thread; null where its packed objects are too large. */
export async function countPages(bytes: Uint8Array): Promise<number | null> {
  leftBytes = MAX_UNPACKED_BYTES;
  isRefused = false;
  const pages = await countPdfPages(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length));
  return isRefused ? null : pages;
}

/**
 * The library unpacks objects to whatever size they have, outside of the heap that the thread is given: a megabyte can
 * hold a gigabyte. It offers no option, so that its two parsers of packed objects are asked after a look at their size.
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

/** The library goes on without a stream that is refused here, which then counts for the whole file. @throws Error */
function takeUnpacked(stream: PDFRawStream): void {
  try {
    leftBytes -= unpackedBytes(stream);
    if (leftBytes < 0) throw new Error('The packed objects are too large.');
  } catch (error) {
    isRefused = true;
    leftBytes = 0;
    throw error;
  }
}

/**
 * Once deflated is how objects are packed, and what is refused may grow at every further step. The checksum is not looked
 * at, as the library does not. @throws Error
 */
function unpackedBytes({ dict, contents }: PDFRawStream): number {
  const filter = dict.lookup(PDFName.of('Filter'));
  if (filter === undefined) return contents.length;
  const only = filter instanceof PDFArray && filter.size() === 1 ? filter.lookup(0) : filter;
  if (only !== PDFName.of('FlateDecode')) throw new Error('The objects are packed in an unusual way.');
  const unpacked = inflateRawSync(contents.subarray(ZLIB_HEAD_BYTES), {
    maxOutputLength: Math.max(leftBytes, 1),
    finishFlush: constants.Z_SYNC_FLUSH,
  });
  return unpacked.length;
}
