import { Readable } from 'node:stream';
import { EXPORT_COLUMNS, type ExportRow } from '../../domain/exports.js';
import { inertText } from './cells.js';
import { zipFile } from './zip.js';

const MAIN = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main';
const RELATIONS = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships';
const PACKAGE = 'http://schemas.openxmlformats.org/package/2006';
const TYPES = 'application/vnd.openxmlformats-officedocument.spreadsheetml';
const HEAD = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n';
/** Indexes of `cellXfs` in the styles below. */
const STYLES = { heading: 1, moment: 2, decimal: 3 } as const;
/** The marks around the values are alike: more work would save few bytes. */
const LEVEL = 2;
const DAY_MS = 86_400_000;
/** Day 0 of spreadsheets, with their 29 February 1900. */
const EPOCH_MS = Date.UTC(1899, 11, 30);
const SPECIAL = /[&<>\r]/;
/** Readers drop space around a text that is not marked. */
const OUTER_SPACE = /^\s|\s$/;
const ESCAPES: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '\r': '&#13;' };

/** The fixed parts of a workbook with one sheet. */
const FILES: Readonly<Record<string, string>> = {
  '[Content_Types].xml': `${HEAD}<Types xmlns="${PACKAGE}/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Default Extension="xml" ContentType="application/xml"/><Override PartName="/xl/workbook.xml" ContentType="${TYPES}.sheet.main+xml"/><Override PartName="/xl/worksheets/sheet1.xml" ContentType="${TYPES}.worksheet+xml"/><Override PartName="/xl/styles.xml" ContentType="${TYPES}.styles+xml"/></Types>`,
  '_rels/.rels': `${HEAD}<Relationships xmlns="${PACKAGE}/relationships"><Relationship Id="rId1" Type="${RELATIONS}/officeDocument" Target="xl/workbook.xml"/></Relationships>`,
  'xl/workbook.xml': `${HEAD}<workbook xmlns="${MAIN}" xmlns:r="${RELATIONS}"><sheets><sheet name="Shipments" sheetId="1" r:id="rId1"/></sheets></workbook>`,
  'xl/_rels/workbook.xml.rels': `${HEAD}<Relationships xmlns="${PACKAGE}/relationships"><Relationship Id="rId1" Type="${RELATIONS}/worksheet" Target="worksheets/sheet1.xml"/><Relationship Id="rId2" Type="${RELATIONS}/styles" Target="styles.xml"/></Relationships>`,
  'xl/styles.xml': `${HEAD}<styleSheet xmlns="${MAIN}"><numFmts count="1"><numFmt numFmtId="164" formatCode="yyyy\\-mm\\-dd\\ hh:mm:ss"/></numFmts><fonts count="2"><font><sz val="11"/><name val="Calibri"/></font><font><b/><sz val="11"/><name val="Calibri"/></font></fonts><fills count="2"><fill><patternFill patternType="none"/></fill><fill><patternFill patternType="gray125"/></fill></fills><borders count="1"><border><left/><right/><top/><bottom/><diagonal/></border></borders><cellStyleXfs count="1"><xf numFmtId="0" fontId="0" fillId="0" borderId="0"/></cellStyleXfs><cellXfs count="4"><xf numFmtId="0" fontId="0" fillId="0" borderId="0" xfId="0"/><xf numFmtId="0" fontId="1" fillId="0" borderId="0" xfId="0" applyFont="1"/><xf numFmtId="164" fontId="0" fillId="0" borderId="0" xfId="0" applyNumberFormat="1"/><xf numFmtId="4" fontId="0" fillId="0" borderId="0" xfId="0" applyNumberFormat="1"/></cellXfs></styleSheet>`,
};

/** Letters of the columns: A, B, … Z, and no more are needed. */
const LETTERS = EXPORT_COLUMNS.map((_column, index) => String.fromCodePoint(65 + index));

/**
 * A workbook as a stream of bytes, written while the rows are read: its size does not matter. Texts are inert,
 * numbers and moments (UTC) stay such. The head row is bold, stays in view and has filters.
 */
export function xlsxStream(pages: AsyncIterable<readonly ExportRow[]>): NodeJS.ReadableStream {
  const zip = zipFile();
  for (const [path, xml] of Object.entries(FILES)) zip.addBuffer(Buffer.from(xml), path);
  zip.addReadStream(Readable.from(sheet(pages), { objectMode: false }), 'xl/worksheets/sheet1.xml', {
    compressionLevel: LEVEL,
  });
  zip.end();
  return zip.outputStream;
}

async function* sheet(pages: AsyncIterable<readonly ExportRow[]>): AsyncGenerator<Buffer> {
  const columns = EXPORT_COLUMNS.map(
    ({ width }, index) => `<col min="${index + 1}" max="${index + 1}" width="${width}" customWidth="1"/>`,
  );
  const heading = EXPORT_COLUMNS.map(({ name }, index) =>
    textCell(`${LETTERS[index]}1`, name, STYLES.heading),
  );
  yield Buffer.from(
    `${HEAD}<worksheet xmlns="${MAIN}"><sheetViews><sheetView workbookViewId="0"><pane ySplit="1" topLeftCell="A2" activePane="bottomLeft" state="frozen"/></sheetView></sheetViews><cols>${columns.join('')}</cols><sheetData><row r="1">${heading.join('')}</row>`,
  );
  let number = 1;
  for await (const rows of pages) {
    const first = number + 1;
    number += rows.length;
    yield Buffer.from(rows.map((row, index) => rowXml(row, first + index)).join(''));
  }
  yield Buffer.from(`</sheetData><autoFilter ref="A1:${LETTERS.at(-1)}${number}"/></worksheet>`);
}

function rowXml(row: ExportRow, number: number): string {
  return `<row r="${number}">${row.map((value, index) => cellXml(value, index, number)).join('')}</row>`;
}

function cellXml(value: ExportRow[number], index: number, number: number): string {
  if (value === null || value === '') return '';
  const at = `${LETTERS[index]}${number}`;
  switch (EXPORT_COLUMNS[index]?.kind) {
    case 'boolean':
      return `<c r="${at}" t="b"><v>${value === true ? 1 : 0}</v></c>`;
    case 'moment':
      return `<c r="${at}" s="${STYLES.moment}"><v>${serialDay(String(value))}</v></c>`;
    case 'decimal':
      return `<c r="${at}" s="${STYLES.decimal}"><v>${value}</v></c>`;
    case 'integer':
      return `<c r="${at}"><v>${value}</v></c>`;
    default:
      return textCell(at, inertText(String(value)));
  }
}

function textCell(at: string, value: string, style = 0): string {
  const escaped = SPECIAL.test(value) ? value.replaceAll(/[&<>\r]/g, (one) => ESCAPES[one] ?? one) : value;
  const attribute = style === 0 ? '' : ` s="${style}"`;
  const space = OUTER_SPACE.test(value) ? ' xml:space="preserve"' : '';
  return `<c r="${at}"${attribute} t="inlineStr"><is><t${space}>${escaped}</t></is></c>`;
}

/** Days since the spreadsheets' day 0, to the second. */
function serialDay(iso: string): string {
  const seconds = Math.floor((Date.parse(iso) - EPOCH_MS) / 1000) * 1000;
  return (seconds / DAY_MS).toFixed(9);
}
