import type { ImportTable } from '../../domain/imports/fields.js';
import { knownHeaders } from '../../domain/imports/recognize.js';
import { LIMITS } from '../../lib/limits/values.js';
import { withoutMarks } from '../../lib/sent-text.js';
import { textOfInert } from '../exports/cells.js';
import { csvRows } from './csv.js';
import { workbookRows } from './xlsx.js';
import { PackedTooLarge } from './zip.js';

/** Why no table could be read: names in the words of the panel. */
export type Unreadable =
  | 'empty'
  | 'unreadable'
  | 'old_workbook'
  | 'too_large'
  | 'took_too_long'
  | 'too_many_rows'
  | 'too_many_columns';

const ZIP = Buffer.from('PK\u0003\u0004');
/** The first bytes of Excel's files before 2007. */
const OLD_WORKBOOK = Buffer.from([0xd0, 0xcf, 0x11, 0xe0]);

/** Reads a file of orders, a workbook or CSV. `language`: of its reader, for old code pages. */
export async function readTable(file: Buffer, language: string): Promise<ImportTable | Unreadable> {
  if (file.subarray(0, 4).equals(OLD_WORKBOOK)) return 'old_workbook';
  try {
    return tableOf(file.subarray(0, 4).equals(ZIP) ? await workbookRows(file) : csvRows(file, language));
  } catch (error) {
    return error instanceof PackedTooLarge ? 'too_large' : 'unreadable';
  }
}

function tableOf(found: readonly string[][]): ImportTable | Unreadable {
  const rows = found.map((cells, index) => ({ line: index + 1, cells: cells.map(cleanCell) }));
  const full = rows.filter(({ cells }) => cells.some((cell) => cell !== ''));
  const [head, ...others] = afterTitles(full);
  if (head === undefined || others.length === 0) return 'empty';
  if (others.length >= LIMITS.imports.lines) return 'too_many_rows';
  const width = head.cells.findLastIndex((cell) => cell !== '') + 1;
  if (width > LIMITS.imports.columns) return 'too_many_columns';
  return {
    header: head.cells.slice(0, width),
    rows: others.map(({ line, cells }) => ({ line, cells: cells.slice(0, width) })),
  };
}

/** Without the lines above the header: a title, a date. */
function afterTitles<T extends { cells: readonly string[] }>(rows: readonly T[]): readonly T[] {
  const known = rows.slice(0, 10).map(({ cells }) => knownHeaders(cells));
  const best = known.indexOf(Math.max(...known, 0));
  return (known[best] ?? 0) >= 2 ? rows.slice(best) : rows;
}

/** Without the signs of a CSV that is inert, which stay where a spreadsheet has saved it as a workbook. */
function cleanCell(cell: string): string {
  const printable = cell.slice(0, LIMITS.imports.cellCharacters).replaceAll(/[\0\p{Surrogate}]/gu, '');
  return textOfInert(withoutMarks(printable));
}
