import type exceljs from 'exceljs';
import { LIMITS } from '../../lib/limits/values.js';
import { refuseLargeZip } from './zip.js';

/** Parts of a workbook that say nothing about orders. */
const IGNORED = ['dataValidations', 'conditionalFormatting', 'drawing', 'picture', 'extLst', 'tableParts'];

/** The rows of the first sheet that has any, as texts. @throws PackedTooLarge, Error for what is no workbook */
export async function workbookRows(file: Buffer): Promise<string[][]> {
  refuseLargeZip(file, LIMITS.imports.unpackedBytes);
  // Imported late: an eighth of an API's modules, which few uploads need.
  const { default: library } = await import('exceljs');
  const workbook = new library.Workbook();
  const bytes = new ArrayBuffer(file.length);
  new Uint8Array(bytes).set(file);
  await workbook.xlsx.load(bytes, { ignoreNodes: IGNORED });
  const sheet = workbook.worksheets.find(
    ({ state, actualRowCount }) => state === 'visible' && actualRowCount > 0,
  );
  if (sheet === undefined) return [];
  const rows: string[][] = [];
  const columns = Math.min(sheet.columnCount, LIMITS.imports.columns + 1);
  sheet.eachRow((row, number) => {
    if (number > LIMITS.imports.lines + 1) return;
    while (rows.length < number - 1) rows.push([]);
    rows.push(Array.from({ length: columns }, (_, index) => textOf(row.getCell(index + 1).value)));
  });
  return rows;
}

/** A cell as a person reads it: a formula's result, a link's text, a day without its midnight, a number unrounded. */
function textOf(value: exceljs.CellValue | undefined): string {
  if (value === null || value === undefined) return '';
  if (typeof value === 'number') return numberText(value);
  if (value instanceof Date)
    return value
      .toISOString()
      .replace(/T00:00:00\.000Z$/, '')
      .slice(0, 16)
      .replace('T', ' ');
  if (typeof value !== 'object') return String(value);
  if ('richText' in value) return value.richText.map(({ text }) => text).join('');
  if ('error' in value) return '';
  if ('formula' in value || 'sharedFormula' in value) return textOf(value.result);
  // A link's text may itself be of several fonts.
  if ('hyperlink' in value) return textOf(value.text);
  return '';
}

/** Long numbers of orders without an exponent; halves that arithmetic left are cut. */
function numberText(value: number): string {
  if (Number.isInteger(value)) return BigInt(value).toString();
  return String(Number(value.toPrecision(15)));
}
