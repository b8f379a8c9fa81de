import { PassThrough, type Writable } from 'node:stream';
import exceljs from 'exceljs';
import { type ColumnKind, EXPORT_COLUMNS, type ExportRow } from '../../domain/exports.js';
import { inertText } from './cells.js';

/** A sheet holds 1,048,576 rows at most, its head included. */
const SHEET_ROWS = 1_000_000;
/** Of the file's properties, in place of the library's name. */
const AUTHOR = 'Parcelworks';
/** The marks around the values are alike: more work would save few bytes. */
const ZIP_LEVEL = 1;
const STYLES: Partial<Record<ColumnKind, Partial<exceljs.Style>>> = {
  decimal: { numFmt: '#,##0.00' },
  moment: { numFmt: 'yyyy-mm-dd hh:mm:ss' },
  link: { font: { underline: true, color: { argb: 'FF0563C1' } } },
};
/** Of a text in a formula. */
const FORMULA_TEXT_LENGTH = 255;

declare module 'exceljs' {
  interface Worksheet {
    /** What a streamed sheet is written to, and what that goes on to; left out of the library's types. */
    readonly stream?: { readonly pipes: readonly Writable[] };
  }
}

/**
 * Rows as a workbook, piece by piece. Texts are inert, numbers and moments (UTC, to the second) stay such. The head of
 * a sheet is bold, stays in view and has filters. `sheetRows`: after how many rows a further sheet begins.
 */
export async function* workbookPieces(
  pages: AsyncIterable<readonly ExportRow[]>,
  { sheetRows = SHEET_ROWS } = {},
): AsyncGenerator<Buffer> {
  const output = new PassThrough();
  writeWorkbook(pages, output, sheetRows).catch((error: unknown) => {
    output.destroy(error instanceof Error ? error : new Error('The workbook cannot be written.'));
  });
  yield* output;
}

async function writeWorkbook(
  pages: AsyncIterable<readonly ExportRow[]>,
  output: PassThrough,
  sheetRows: number,
): Promise<void> {
  const workbook = new exceljs.stream.xlsx.WorkbookWriter({
    stream: output,
    useStyles: true,
    zip: { zlib: { level: ZIP_LEVEL } },
  });
  workbook.creator = AUTHOR;
  workbook.lastModifiedBy = AUTHOR;
  const closed = new Promise((resolve) => output.once('close', resolve));
  let count = 0;
  let sheet = addSheet(workbook, 1);
  for await (const rows of pages) {
    for (const row of rows) {
      if (count > 0 && count % sheetRows === 0) {
        commitSheet(sheet, sheetRows);
        sheet = addSheet(workbook, 1 + count / sheetRows);
      }
      sheet.addRow(row.map(toCell)).commit();
      count += 1;
    }
    await Promise.race([drained(sheet), closed]);
    if (output.destroyed) return;
  }
  commitSheet(sheet, count === 0 ? 0 : ((count - 1) % sheetRows) + 1);
  await workbook.commit();
}

function addSheet(workbook: exceljs.stream.xlsx.WorkbookWriter, number: number): exceljs.Worksheet {
  const sheet = workbook.addWorksheet(number === 1 ? 'Shipments' : `Shipments ${number}`, {
    views: [{ state: 'frozen', ySplit: 1 }],
  });
  sheet.columns = EXPORT_COLUMNS.map(({ name, kind, width }) => {
    const style = STYLES[kind];
    return { header: name, width, ...(style === undefined ? {} : { style }) };
  });
  const head = sheet.getRow(1);
  head.font = { bold: true };
  head.commit();
  return sheet;
}

/** The filters span the rows, whose number is known only now. */
function commitSheet(sheet: exceljs.Worksheet, rows: number): void {
  sheet.autoFilter = {
    from: { row: 1, column: 1 },
    to: { row: rows + 1, column: EXPORT_COLUMNS.length },
  };
  sheet.commit();
}

function toCell(value: ExportRow[number], index: number): exceljs.CellValue {
  if (typeof value !== 'string') return value;
  switch (EXPORT_COLUMNS[index]?.kind) {
    case 'decimal':
      return Number(value);
    case 'moment':
      return new Date(`${value.slice(0, 19)}Z`);
    case 'link':
      return toLink(value);
    default:
      return inertText(value);
  }
}

/** A formula: of the links of its own kind a sheet takes 65,530, and the library keeps them all in memory. */
function toLink(url: string): exceljs.CellValue {
  if (url.length > FORMULA_TEXT_LENGTH || url.includes('"')) return url;
  return { formula: `HYPERLINK("${url}")`, result: url };
}

/**
 * Waits until what was written to the sheet has gone on into the archive. exceljs itself never waits, so that on a slow
 * disk the whole workbook would pile up in memory.
 */
async function drained(sheet: exceljs.Worksheet): Promise<void> {
  const pipes = sheet.stream?.pipes ?? [];
  await Promise.all(pipes.map((pipe) => new Promise((resolve) => pipe.write('', resolve))));
}
