import { execFileSync, spawnSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { setImmediate as turn } from 'node:timers/promises';
import test from 'ava';
import exceljs from 'exceljs';
import { inertParts, inertText } from '../../src/documents/exports/cells.js';
import { EXPORT_FORMATS } from '../../src/documents/exports/formats.js';
import { workbookPieces } from '../../src/documents/exports/xlsx.js';
import { readTable } from '../../src/documents/imports/table.js';
import {
  EXPORT_COLUMNS,
  type ExportFormat,
  type ExportRow,
  exportFilename,
} from '../../src/domain/exports.js';

const NAMES: string[] = EXPORT_COLUMNS.map((column) => column.name);
const hasPython = spawnSync('python3', ['--version']).status === 0 || process.env.CI !== undefined;
/** Prints rows read by Python's csv module as JSON. */
const READ_CSV =
  'import csv, io, json, sys; print(json.dumps(list(csv.reader(io.TextIOWrapper(sys.stdin.buffer, "utf-8-sig", newline="")))))';

const HOSTILE = [
  '=1+1',
  '+972501234567',
  '-5',
  '@SUM(A1)',
  '\t=1',
  '\r=1',
  '\n=1',
  '\0=1',
  '  =1',
  '\u200b=1',
  '＝1',
  '＋1',
  '－1',
  '＠1',
];
const HARMLESS = [
  'Dana, "the boss"',
  'דנה לוי',
  'line one\r\nline two',
  'a=b',
  '12',
  '',
  "O'Brien",
  '<b>&amp;</b>',
];

test('EXPORT_COLUMNS: columns keep names and order, new ones come last', (t) => {
  t.deepEqual(
    NAMES.join(' '),
    'uuid tracking_code carrier status service_type is_active order_id order_number recipient_name recipient_phone ' +
      'recipient_company recipient_street recipient_number recipient_city recipient_state recipient_zip ' +
      'recipient_country pickup_point_id packages cod_amount cod_currency external_id created_at updated_at ' +
      'recipient_entrance recipient_floor recipient_apartment note delivered_at tracking_url',
  );
});

for (const [index, text] of HOSTILE.entries()) {
  test(`inertText: a cell that begins like a formula is inert, case ${index + 1}`, (t) => {
    const cell = inertText(text);

    t.true(cell.startsWith("'"), JSON.stringify(cell));
    t.false(cell.includes('\0'));
  });
}

test('inertText: a harmless cell is unchanged', (t) => {
  const cells = HARMLESS.map(inertText);

  t.deepEqual(cells, HARMLESS);
});

(hasPython ? test : test.skip)('EXPORT_FORMATS.csv: Python reads what was written', async (t) => {
  const rows = [...HOSTILE, ...HARMLESS].map((name) => row({ recipient_name: name, cod_amount: '-5.00' }));
  const file = await fileOf('csv', rows);

  const read: string[][] = JSON.parse(
    execFileSync('python3', ['-c', READ_CSV], { input: file, encoding: 'utf8' }),
  );

  t.deepEqual(read[0], NAMES);
  t.is(read.length, rows.length + 1);
  const names = read.slice(1).map((cells) => cells[NAMES.indexOf('recipient_name')]);
  t.deepEqual(
    names,
    [...HOSTILE, ...HARMLESS].map((text) => inertParts(inertText(text))),
  );
  for (const cells of read) t.is(cells.length, NAMES.length);
  t.is(read[1]?.[NAMES.indexOf('cod_amount')], '-5.00');
  t.is(read[1]?.[NAMES.indexOf('is_active')], 'true');
  t.is(read[1]?.[NAMES.indexOf('created_at')], '2026-11-21T09:30:00.123456Z');
});

test('EXPORT_FORMATS.csv: a file has a byte order mark and CRLF', async (t) => {
  const file = await fileOf('csv', [row()]);

  const text = file.toString('utf8');
  t.true(text.startsWith('\u{feff}uuid,'));
  t.is(text.split('\r\n').length, 3);
  t.false(/[^\r]\n/.test(text));
});

test('EXPORT_FORMATS.xlsx: a spreadsheet library reads the same values', async (t) => {
  const texts = [...HOSTILE, ...HARMLESS];
  const file = await fileOf(
    'xlsx',
    texts.map((name) => row({ recipient_name: name })),
    7,
  );

  const workbook = new exceljs.Workbook();
  await workbook.xlsx.load(file as never);
  t.is(workbook.creator, 'Parcelworks');
  t.is(workbook.lastModifiedBy, 'Parcelworks');
  const sheet = workbook.getWorksheet('Shipments');
  const cell = (name: string, at: number) => sheet?.getCell(at, NAMES.indexOf(name) + 1);

  t.is(sheet?.rowCount, texts.length + 1);
  t.deepEqual(
    NAMES.map((name) => cell(name, 1)?.value),
    NAMES,
  );
  for (const [index, text] of texts.entries()) {
    const read = cell('recipient_name', index + 2);
    t.is(read?.type, text === '' ? exceljs.ValueType.Null : exceljs.ValueType.String);
    // XML readers turn a carriage return into a line feed, and this one unescapes twice.
    const expected = text.replace('\0', '').replaceAll(/\r\n?/g, '\n').replaceAll('&amp;', '&');
    t.is(read?.value ?? '', expected);
    t.is(read?.numFmt, '@');
  }
  t.is(cell('packages', 2)?.value, 2);
  t.is(cell('cod_amount', 2)?.value, 120.5);
  t.is(cell('is_active', 2)?.value, true);
  for (const [name, value] of [
    ['recipient_zip', '0330340'],
    ['recipient_phone', '0501234567'],
    ['recipient_apartment', '0012'],
  ] as const) {
    t.is(cell(name, 2)?.type, exceljs.ValueType.String, name);
    t.is(cell(name, 2)?.value, value);
  }
  const link = 'https://parcels.test/track/ABCDE01234';
  t.like(cell('tracking_url', 2)?.value, { formula: `HYPERLINK("${link}")`, result: link });
  t.deepEqual(cell('created_at', 2)?.value, new Date('2026-11-21T09:30:00.000Z'));
  t.deepEqual(cell('delivered_at', 2)?.value, new Date('2026-11-22T08:09:10.000Z'));
  t.is(cell('pickup_point_id', 2)?.value, null);
  t.is(sheet?.autoFilter, `A1:AD${texts.length + 1}`);
  t.like(sheet?.views[0], { state: 'frozen', ySplit: 1 });
});

for (const format of ['csv', 'xlsx'] as const) {
  test(`readTable: an exported ${format} is read back as the texts that were exported`, async (t) => {
    const texts = ['=1+1', '+972501234567', '-5', '@SUM(A1)', '＝1', 'a; =1', 'a;-1;@b', "O'Brien", "'הבית"];
    const file = await fileOf(
      format,
      texts.map((name) => row({ recipient_name: name })),
    );

    const table = await readTable(file, 'en');

    if (typeof table === 'string') return t.fail(table);
    const at = table.header.indexOf('recipient_name');
    t.deepEqual(
      table.rows.map(({ cells }) => cells[at]),
      texts,
    );
  });
}

test("workbookPieces: rows beyond a sheet's limit go to another sheet", async (t) => {
  const codes = ['T1', 'T2', 'T3', 'T4', 'T5'];
  const pages = pagesOf(codes.map((code) => row({ tracking_code: code })));

  const file = await collect(workbookPieces(pages, EXPORT_COLUMNS, { sheetRows: 2 }));

  const workbook = new exceljs.Workbook();
  await workbook.xlsx.load(file as never);
  t.deepEqual(
    workbook.worksheets.map((sheet) => [sheet.name, sheet.getColumn(2).values.slice(1)]),
    [
      ['Shipments', ['tracking_code', 'T1', 'T2']],
      ['Shipments 2', ['tracking_code', 'T3', 'T4']],
      ['Shipments 3', ['tracking_code', 'T5']],
    ],
  );
  t.deepEqual(
    workbook.worksheets.map((sheet) => sheet.autoFilter),
    ['A1:AD3', 'A1:AD3', 'A1:AD2'],
  );
});

test('workbookPieces: an export without rows is a sheet with a head', async (t) => {
  const file = await collect(workbookPieces(pagesOf([])));

  const workbook = new exceljs.Workbook();
  await workbook.xlsx.load(file as never);
  t.is(workbook.getWorksheet('Shipments')?.rowCount, 1);
});

for (const format of ['csv', 'xlsx'] as const) {
  test(`EXPORT_FORMATS.${format}: reads no page ahead of a slow store`, async (t) => {
    const page = Array.from({ length: 1000 }, () => row({ recipient_street: randomText(200) }));
    let read = 0;
    async function* pages() {
      for (; read < 1000; read += 1) yield page;
    }

    const pieces = EXPORT_FORMATS[format](pages())[Symbol.asyncIterator]();
    await pieces.next();
    for (let turns = 0; turns < 1000; turns += 1) await turn();
    const readAhead = read;
    await pieces.return?.();

    t.true(readAhead <= 20, `${readAhead} pages were read`);
  });

  test(`EXPORT_FORMATS.${format}: an error of the rows fails the file`, async (t) => {
    async function* pages(count: number) {
      for (let page = 0; page < count; page += 1) yield [row()];
      throw new Error('MySQL is away.');
    }

    for (const count of [0, 1]) {
      const collected = collect(EXPORT_FORMATS[format](pages(count)));
      await t.throwsAsync(collected, { message: 'MySQL is away.' }, `after ${count} pages`);
    }
  });
}

test("exportFilename: has the license and the request's time", (t) => {
  const name = exportFilename({ licenseId: 7, createdAt: '2026-11-21T09:30:00.123456Z', format: 'csv' });

  t.is(name, 'shipments-7-20261121-093000.csv');
});

/** A row with the given columns. */
function row(values: Record<string, string | number | boolean | null> = {}): ExportRow {
  const defaults: Record<string, string | number | boolean | null> = {
    uuid: '019aa5a6-7c3a-7d4e-8f00-3f1c1d2e4b5a',
    tracking_code: '74100231',
    carrier: 'Run',
    status: 'created',
    service_type: 1,
    is_active: true,
    order_id: '1001',
    order_number: '#1001',
    recipient_name: 'Dana Levi',
    recipient_phone: '0501234567',
    recipient_city: 'Haifa',
    recipient_zip: '0330340',
    recipient_country: 'IL',
    packages: 2,
    cod_amount: '120.50',
    cod_currency: 'ILS',
    created_at: '2026-11-21T09:30:00.123456Z',
    updated_at: '2026-11-21T09:30:00.123456Z',
    recipient_apartment: '0012',
    delivered_at: '2026-11-22T08:09:10.000011Z',
    tracking_url: 'https://parcels.test/track/ABCDE01234',
    ...values,
  };
  return NAMES.map((name) => defaults[name] ?? null);
}

async function fileOf(format: ExportFormat, rows: readonly ExportRow[], pageRows = 1000): Promise<Buffer> {
  return await collect(EXPORT_FORMATS[format](pagesOf(rows, pageRows)));
}

async function* pagesOf(rows: readonly ExportRow[], pageRows = 1000): AsyncGenerator<readonly ExportRow[]> {
  for (let start = 0; start < rows.length; start += pageRows) yield rows.slice(start, start + pageRows);
}

async function collect(pieces: AsyncIterable<string | Buffer>): Promise<Buffer> {
  const parts: Buffer[] = [];
  for await (const piece of pieces) parts.push(Buffer.from(piece));
  return Buffer.concat(parts);
}

/** Incompressible text. */
function randomText(length: number): string {
  return randomBytes(length).toString('base64').slice(0, length);
}

for (const format of ['csv', 'xlsx'] as const) {
  test(`${format}: rows that fail before anyone reads fail for the reader, not the process`, async (t) => {
    async function* failing(): AsyncGenerator<ExportRow[]> {
      yield [];
      throw new Error('The export has ended.');
    }
    const pieces = EXPORT_FORMATS[format](failing());
    // The store's preparation takes longer than the rows.
    for (let turns = 0; turns < 10; turns += 1) await turn();

    const read = async () => {
      for await (const piece of pieces) t.truthy(piece);
    };

    await t.throwsAsync(read, { message: 'The export has ended.' });
  });
}
