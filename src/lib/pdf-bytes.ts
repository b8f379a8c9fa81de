const HEAD = '%PDF-';
const TAIL = '%%EOF';
/** Bytes in which readers of PDF look for its header. */
const HEAD_WITHIN = 1024;

/**
 * The bytes of a PDF from its header on; null where there is none. What a server wrote before it, such as a byte order mark
 * or blank lines, viewers skip and printers print as text.
 */
export function fromHeader(bytes: Buffer): Buffer | null {
  const at = bytes.subarray(0, HEAD_WITHIN + HEAD.length).indexOf(HEAD);
  return at === -1 ? null : bytes.subarray(at);
}

/** Whether a PDF that begins with its header also ends. Detects only truncation; anything may stand behind the end. */
export function hasEnd(pdf: Buffer): boolean {
  const first = pdf.indexOf(TAIL);
  if (first === -1) return false;
  // A linearized one has an end behind its first page, too.
  const isLinearized = pdf.subarray(0, HEAD_WITHIN).includes('/Linearized');
  return !isLinearized || pdf.indexOf(TAIL, first + TAIL.length) !== -1;
}
