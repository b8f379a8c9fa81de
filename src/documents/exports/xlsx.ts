import { PassThrough, type Writable } from 'node:stream';
import exceljs from 'exceljs';
import { type ColumnKind, EXPORT_COLUMNS, type ExportColumn, type ExportRow } from '../../domain/exports.js';
import { printableText } from './cells.js';

const SHEET_ROWS = 1_000_000;

/** Author in the file's properties; replaces the library's name. */
const AUTHOR = 'Parcelworks';
const STYLES: Record<ColumnKind, Partial<exceljs.Style>> = {
  // Edited there, a text stays one: neither calculated nor without its zeros.
  text: { numFmt: '@' },
  integer: {},
  boolean: {},
  decimal: { numFmt: '#,##0.00' },
  moment: { numFmt: 'yyyy-mm-dd hh:mm:ss' },
  link: { font: { underline: true, color: { argb: 'FF0563C1' } } },
};

declare module 'exceljs' {
  interface Worksheet {
    /** The sheet's output streams, missing from the library's types. */
    readonly stream?: { readonly pipes: readonly Writable[] };
    /** Cells whose formula others share, by address. The library keeps every formula here, for none of ours. */
    _formulae?: object;
  }
}

/**
 * Rows as a workbook, piece by piece. Texts, numbers and times (UTC, to the second) have their type.
 * A sheet's head is bold, frozen and has filters. A new sheet begins after `sheetRows` rows.
 */
export async function* workbookPieces(
  pages: AsyncIterable<readonly ExportRow[]>,
  columns: readonly ExportColumn[] = EXPORT_COLUMNS,
  { sheetRows = SHEET_ROWS } = {},
): AsyncIterable<Buffer> {
  const output = new PassThrough();
  writeWorkbook(pages, output, { columns, sheetRows }).catch((error: unknown) => {
    output.destroy(error instanceof Error ? error : new Error('The workbook cannot be written.'));
  });
  yield* output;
}

async function writeWorkbook(
  pages: AsyncIterable<readonly ExportRow[]>,
  output: PassThrough,
  { columns, sheetRows }: { columns: readonly ExportColumn[]; sheetRows: number },
): Promise<void> {
  const workbook = new exceljs.stream.xlsx.WorkbookWriter({
    stream: output,
    useStyles: true,
    // The marks around the values are alike: more work would save few bytes.
    zip: { zlib: { level: 1 } },
  });
  workbook.creator = AUTHOR;
  workbook.lastModifiedBy = AUTHOR;
  const closed = new Promise((resolve) => output.once('close', resolve));
  let count = 0;
  let sheet = addSheet(workbook, columns, 1);
  for await (const rows of pages) {
    for (const row of rows) {
      if (count > 0 && count % sheetRows === 0) {
        commitSheet(sheet, columns, sheetRows);
        sheet = addSheet(workbook, columns, 1 + count / sheetRows);
      }
      addRow(sheet, columns, row);
      count += 1;
    }
    sheet._formulae = {};
    await Promise.race([drained(sheet), closed]);
    if (output.destroyed) return;
  }
  commitSheet(sheet, columns, count === 0 ? 0 : ((count - 1) % sheetRows) + 1);
  await workbook.commit();
}

function addSheet(
  workbook: exceljs.stream.xlsx.WorkbookWriter,
  columns: readonly ExportColumn[],
  number: number,
): exceljs.Worksheet {
  const sheet = workbook.addWorksheet(number === 1 ? 'Shipments' : `Shipments ${number}`, {
    views: [{ state: 'frozen', ySplit: 1 }],
  });
  sheet.columns = columns.map(({ name, kind, width }) => ({
    header: name,
    width,
    style: STYLES[kind],
  }));
  const head = sheet.getRow(1);
  head.font = { bold: true };
  head.commit();
  return sheet;
}

/** Cells share the style of their kind: the library looks up each new style object, more than half of its time. */
function addRow(sheet: exceljs.Worksheet, columns: readonly ExportColumn[], values: ExportRow): void {
  const row = sheet.addRow(values.map((value, index) => toCell(value, columns[index]?.kind)));
  for (const [index, { kind }] of columns.entries()) row.getCell(index + 1).style = STYLES[kind];
  row.commit();
}

/** The filters cover all rows, whose number is known only now. */
function commitSheet(sheet: exceljs.Worksheet, columns: readonly ExportColumn[], rows: number): void {
  sheet.autoFilter = {
    from: { row: 1, column: 1 },
    to: { row: rows + 1, column: columns.length },
  };
  sheet.commit();
}

function toCell(value: ExportRow[number], kind: ColumnKind | undefined): exceljs.CellValue {
  if (typeof value !== 'string') return value;
  switch (kind) {
    case 'decimal':
      return Number(value);
    case 'moment':
      return new Date(`${value.slice(0, 19)}Z`);
    case 'link':
      return toLink(value);
    default:
      return printableText(value);
  }
}

/** A formula instead of a link: a sheet takes 65,530 links, and the library keeps them all in memory. */
function toLink(url: string): exceljs.CellValue {
  // A text in a formula has 255 characters at most.
  if (url.length > 255 || url.includes('"')) return url;
  return { formula: `HYPERLINK("${url}")`, result: url };
}

/**
 * Waits until the sheet's data has reached the archive. exceljs never waits, so on a slow disk the whole
 * workbook would pile up in memory.
 */
async function drained(sheet: exceljs.Worksheet): Promise<void> {
  const pipes = sheet.stream?.pipes ?? [];
  await Promise.all(pipes.map((pipe) => new Promise((resolve) => pipe.write('', resolve))));
}
