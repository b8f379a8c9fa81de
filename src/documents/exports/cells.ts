/** A fast path for most texts: they start with a Latin or Hebrew letter or a digit and are printable. */
const PLAIN = /^[0-9A-Za-z\u05d0-\u05ea][ -~\u05d0-\u05ea]*$/;
/** Characters that start a formula in spreadsheets, with the full-width forms of Asian keyboards. */
const FORMULA = /^[\s\p{Cf}]*[=+\-@＝＋－＠]/u;
/**
 * Where a program that splits at other characters than commas would start a formula cell. It ends a row at
 * every line break, because the quotes are inside its cells. The skipped characters are one class: alternatives
 * that overlap (U+FEFF is blank and format character) double the time with each.
 */
const FORMULA_INSIDE = /[;\t\r\n](?=(?:(?![\t\r\n])[\s\p{Cf}"])*[=+\-@＝＋－＠])/gu;
const SIGN_INSIDE = /([;\t\r\n])'(?=(?:(?![\t\r\n])[\s\p{Cf}"])*[=+\-@＝＋－＠])/gu;
/** Characters that may hide a formula: some programs skip them. */
const HIDING = /^[\t\r\n\0]/;
// oxlint-disable-next-line no-control-regex
const UNPRINTABLE = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]|\p{Cs}/gu;

/** The text itself, for cells that are texts by their type. Control characters that no format can hold are removed. */
export function printableText(text: string): string {
  return PLAIN.test(text) ? text : text.replace(UNPRINTABLE, '');
}

/** Text that no spreadsheet calculates in a file without types: an apostrophe precedes what begins like a formula. */
export function inertText(text: string): string {
  if (PLAIN.test(text)) return text;
  const printable = printableText(text);
  return HIDING.test(text) || FORMULA.test(printable) ? `'${printable}` : printable;
}

/** Inert text for files that programs may split at semicolons or tabs: no part of it is calculated. */
export function inertParts(text: string): string {
  return text.replace(FORMULA_INSIDE, "$&'");
}

/**
 * The text of a cell that {@link inertText} and {@link inertParts} made inert. An apostrophe before a digit is dropped
 * too: people type it to keep a zero.
 */
export function textOfInert(cell: string): string {
  const isSigned = cell.startsWith("'") && (FORMULA.test(cell.slice(1)) || /^'\d/.test(cell));
  return (isSigned ? cell.slice(1) : cell).replace(SIGN_INSIDE, '$1');
}
