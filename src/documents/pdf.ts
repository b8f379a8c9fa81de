import type { PDFContext, PDFDocument, PDFObject, PDFPage } from '@cantoo/pdf-lib';
import { fromHeader, hasEnd } from '../lib/pdf-bytes.js';

/** Loaded on first use: hundreds of modules that most processes never need. */
const library = () => import('@cantoo/pdf-lib');

/** Whether the bytes begin and end like a PDF; detects only truncation. */
export function isWholePdf(bytes: Buffer): boolean {
  return fromHeader(bytes)?.length === bytes.length && hasEnd(bytes);
}

/** Pages of a PDF; `locked` where it opens with a password only, null for other bytes. */
export type PageCount = number | 'locked' | null;

/** Counts pages of trusted files only: foreign ones go through `createPdfPageCounter`. */
export async function countPdfPages(bytes: Buffer): Promise<PageCount> {
  if (!isWholePdf(bytes)) return null;
  try {
    const { PDFDocument } = await library();
    // An owner's password alone protects from changes: everybody opens and prints the file, by an empty password.
    const document = await PDFDocument.load(bytes, { updateMetadata: false, password: '' });
    const pages = document.getPageCount();
    return pages > 0 ? pages : null;
  } catch (error) {
    return error instanceof Error && /^NEEDS PASSWORD|^Password incorrect/.test(error.message)
      ? 'locked'
      : null;
  }
}

/** Joins our own PDFs into one, each as it comes. @throws Error where there is none */
export async function joinPdfs(parts: AsyncIterable<Buffer>): Promise<Buffer> {
  let first: Buffer | undefined;
  let whole: PDFDocument | undefined;
  for await (const part of parts) {
    if (first === undefined) {
      first = part;
      continue;
    }
    whole ??= await withPages(undefined, first);
    await withPages(whole, part);
  }
  if (first === undefined) throw new Error('there is nothing to join');
  return whole === undefined ? first : Buffer.from(await whole.save());
}

/** The document, or a new one, with the pages of the part behind its own. */
async function withPages(document: PDFDocument | undefined, part: Buffer): Promise<PDFDocument> {
  const { ParseSpeeds, PDFDocument } = await library();
  const whole = document ?? (await PDFDocument.create());
  const loaded = await PDFDocument.load(part, { updateMetadata: false, parseSpeed: ParseSpeeds.Fastest });
  for (const page of await whole.copyPages(loaded, loaded.getPageIndices())) whole.addPage(page);
  return whole;
}

/**
 * Splits the PDF into parts of these page counts, each with only what its pages need. Null when the counts do
 * not match, or when parts share a font, which would hold the letters of both.
 */
export async function splitPdf(bytes: Buffer, pageCounts: readonly number[]): Promise<Buffer[] | null> {
  const { ParseSpeeds, PDFDocument } = await library();
  const whole = await PDFDocument.load(bytes, { updateMetadata: false, parseSpeed: ParseSpeeds.Fastest });
  const pages = whole.getPages();
  if (pages.length !== pageCounts.reduce((sum, count) => sum + count, 0)) return null;
  const seen = new Set<PDFObject>();
  const parts: Buffer[] = [];
  let first = 0;
  for (const count of pageCounts) {
    const indices = Array.from({ length: count }, (_, index) => first + index);
    first += count;
    const fonts = await fontsOf(
      whole.context,
      indices.flatMap((index) => pages[index] ?? []),
    );
    if (fonts.some((font) => seen.has(font))) return null;
    for (const font of fonts) seen.add(font);
    const part = await PDFDocument.create({ updateMetadata: false });
    for (const page of await part.copyPages(whole, indices)) part.addPage(page);
    parts.push(Buffer.from(await part.save({ useObjectStreams: false, objectsPerTick: Infinity })));
  }
  return parts;
}

/** The distinct fonts that these pages use. */
async function fontsOf(context: PDFContext, pages: readonly PDFPage[]): Promise<PDFObject[]> {
  const { PDFArray, PDFDict, PDFName, PDFRef, PDFStream } = await library();
  const parent = PDFName.of('Parent');
  const fontType = PDFName.of('Font');
  const reached = new Set<PDFObject>();
  const fonts: PDFObject[] = [];
  const waiting: PDFObject[] = pages.map(({ node }) => node);
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    const object = next instanceof PDFRef ? context.lookup(next) : next;
    if (object === undefined || reached.has(object)) continue;
    reached.add(object);
    const dict = object instanceof PDFStream ? object.dict : object;
    if (dict instanceof PDFArray) waiting.push(...dict.asArray());
    if (!(dict instanceof PDFDict)) continue;
    if (dict.get(PDFName.of('Type')) === fontType) fonts.push(dict);
    for (const [key, value] of dict.entries()) if (key !== parent) waiting.push(value);
  }
  return fonts;
}
