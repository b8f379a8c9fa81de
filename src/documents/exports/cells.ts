/** Most texts: a Latin or Hebrew letter or a digit, and then nothing that cannot be printed. Found fast. */
const PLAIN = /^[0-9A-Za-z\u05d0-\u05ea][ -~\u05d0-\u05ea]*$/;
/** What spreadsheets take as the beginning of a formula, the full-width forms of Asian keyboards included. */
const FORMULA = /^[\s\p{Cf}]*[=+\-@＝＋－＠]/u;
/**
 * Where a program that splits at something else than commas begins a cell that it would calculate. It ends a row at
 * every line break, since the quotes that are to keep one stand inside its cells. What may stand in between is one
 * class: a character of two alternatives, as U+FEFF is a blank and a format character, doubles the time with each.
 */
const FORMULA_INSIDE = /[;\t\r\n](?=(?:(?![\t\r\n])[\s\p{Cf}"])*[=+\-@＝＋－＠])/gu;
/** Characters behind which a formula may hide, since some programs skip them. */
const HIDING = /^[\t\r\n\0]/;
// oxlint-disable-next-line no-control-regex
const UNPRINTABLE = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]|\p{Cs}/gu;

/**
 * A text that no spreadsheet calculates: one that begins like a formula gets an apostrophe in front. Control
 * characters, which neither format can hold, are left out.
 */
export function inertText(text: string): string {
  if (PLAIN.test(text)) return text;
  const printable = text.replace(UNPRINTABLE, '');
  return HIDING.test(text) || FORMULA.test(printable) ? `'${printable}` : printable;
}

/** An inert text for a file that programs may split at semicolons or tabs: no part of it is calculated either. */
export function inertParts(text: string): string {
  return text.replace(FORMULA_INSIDE, "$&'");
}
