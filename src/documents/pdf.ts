const HEAD = '%PDF-';
const TAIL = '%%EOF';
const TAIL_BYTES = 1024;

/** Loaded on first use: hundreds of modules, which most processes never need. */
const library = () => import('@cantoo/pdf-lib');

/** Whether the bytes begin and end as a PDF: tells a whole file from half of one, not more. */
export function isWholePdf(bytes: Buffer): boolean {
  return (
    bytes.subarray(0, HEAD.length).toString('latin1') === HEAD && bytes.subarray(-TAIL_BYTES).includes(TAIL)
  );
}

/** Pages of a PDF that can be read without a password; null for bytes that are none. */
export async function countPdfPages(bytes: Buffer): Promise<number | null> {
  if (!isWholePdf(bytes)) return null;
  try {
    const { PDFDocument } = await library();
    const pages = (await PDFDocument.load(bytes, { updateMetadata: false })).getPageCount();
    return pages > 0 ? pages : null;
  } catch {
    return null;
  }
}

/** The pages of these PDFs, one after the other, as one. */
export async function joinPdfs(parts: readonly Buffer[]): Promise<Buffer> {
  const [only, ...others] = parts;
  if (only !== undefined && others.length === 0) return only;
  const { PDFDocument } = await library();
  const whole = await PDFDocument.create();
  for (const part of parts) {
    const document = await PDFDocument.load(part, { updateMetadata: false });
    for (const page of await whole.copyPages(document, document.getPageIndices())) whole.addPage(page);
  }
  return Buffer.from(await whole.save());
}
