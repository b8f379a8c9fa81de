import { execFileSync, spawnSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import test from 'ava';
import exceljs from 'exceljs';
import { inertText } from '../../src/documents/exports/cells.js';
import { buildFile, type ExportFile, exportFilename, planMails } from '../../src/documents/exports/files.js';
import { exportMailTexts } from '../../src/documents/exports/mail-texts.js';
import { encodePart } from '../../src/documents/exports/parts.js';
import { EXPORT_COLUMNS, type ExportFormat, type ExportRow } from '../../src/domain/exports.js';
import { unzip } from '../support/unzip.js';

const MIB = 1024 * 1024;
const NAMES: string[] = EXPORT_COLUMNS.map((column) => column.name);
const hasPython = spawnSync('python3', ['--version']).status === 0 || process.env.CI !== undefined;
/** Prints the rows that Python's csv module reads from standard input, as JSON. */
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

for (const [index, text] of HOSTILE.entries()) {
  test(`a cell that begins like a formula is inert, case ${index + 1}`, (t) => {
    const cell = inertText(text);

    t.true(cell.startsWith("'"), JSON.stringify(cell));
    t.false(cell.includes('\0'));
  });
}

test('a harmless cell stays as it is', (t) => {
  const cells = HARMLESS.map(inertText);

  t.deepEqual(cells, HARMLESS);
});

(hasPython ? test : test.skip)('Python reads from the CSV what was written', async (t) => {
  const rows = [...HOSTILE, ...HARMLESS].map((name) => row({ recipient_name: name, cod_amount: '-5.00' }));
  const file = await fileOf('csv', rows);

  const read: string[][] = JSON.parse(
    execFileSync('python3', ['-c', READ_CSV], { input: file.content, encoding: 'utf8' }),
  );

  t.deepEqual(read[0], NAMES);
  t.is(read.length, rows.length + 1);
  const names = read.slice(1).map((cells) => cells[NAMES.indexOf('recipient_name')]);
  t.deepEqual(names, [...HOSTILE, ...HARMLESS].map(inertText));
  for (const cells of read) t.is(cells.length, NAMES.length);
  t.is(read[1]?.[NAMES.indexOf('cod_amount')], '-5.00');
  t.is(read[1]?.[NAMES.indexOf('is_active')], 'true');
  t.is(read[1]?.[NAMES.indexOf('created_at')], '2026-11-21T09:30:00.123456Z');
});

test('a CSV has a byte order mark and CRLF', async (t) => {
  const file = await fileOf('csv', [row()]);

  const text = file.content.toString('utf8');
  t.true(text.startsWith('\u{feff}uuid,'));
  t.is(text.split('\r\n').length, 3);
  t.false(/[^\r]\n/.test(text));
});

test('a spreadsheet library reads from the workbook what was written', async (t) => {
  const texts = [...HOSTILE, ...HARMLESS];
  const file = await fileOf(
    'xlsx',
    texts.map((name) => row({ recipient_name: name })),
    7,
  );

  const workbook = new exceljs.Workbook();
  await workbook.xlsx.load(file.content as never);
  const sheet = workbook.getWorksheet('Shipments');
  const cell = (name: string, at: number) => sheet?.getCell(at, NAMES.indexOf(name) + 1);

  t.is(sheet?.rowCount, texts.length + 1);
  t.deepEqual(
    NAMES.map((name) => cell(name, 1)?.value),
    NAMES,
  );
  for (const [index, text] of texts.entries()) {
    const read = cell('recipient_name', index + 2);
    t.not(read?.type, exceljs.ValueType.Formula);
    t.is(read?.value ?? '', inertText(text).replaceAll('\r\n', '\r\n'));
  }
  t.is(cell('packages', 2)?.value, 2);
  t.is(cell('cod_amount', 2)?.value, 120.5);
  t.is(cell('is_active', 2)?.value, true);
  t.is(cell('recipient_zip', 2)?.value, '0330340');
  t.deepEqual(cell('created_at', 2)?.value, new Date('2026-11-21T09:30:00.000Z'));
  t.is(cell('pickup_point_id', 2)?.value, null);
  t.truthy(sheet?.autoFilter);
});

test('a file above 5 MiB comes zipped, and holds every row', async (t) => {
  const rows = Array.from({ length: 6000 }, (_value, index) =>
    row({ tracking_code: `T${index}`, recipient_street: 'Dizengoff '.repeat(90) }),
  );

  const file = await fileOf('csv', rows, 2000);
  const [entry, ...others] = await unzip(file.content);

  t.is(file.filename, 'shipments-7-20261121-093000.zip');
  t.is(file.contentType, 'application/zip');
  t.is(others.length, 0);
  t.is(entry?.name, 'shipments-7-20261121-093000.csv');
  t.true((entry?.content.length ?? 0) > 5 * MIB);
  const codes = entry?.content
    .toString('utf8')
    .trimEnd()
    .split('\r\n')
    .slice(1)
    .map((line) => line.split(',')[1]);
  t.deepEqual(
    codes,
    rows.map((one) => one[1]),
  );
});

test('what does not fit one mail is split by its parts, and each file is whole', async (t) => {
  const rows = Array.from({ length: 2000 }, () =>
    row({ recipient_street: randomBytes(2400).toString('base64') }),
  );
  const part = await encodePart('csv', rows);
  const encoded = Array.from({ length: 5 }, () => part);
  const sizes = encoded.map((one, index) => ({
    number: index + 1,
    rowCount: 2000,
    storedBytes: one.content.length,
  }));

  const plans = planMails('csv', sizes);
  const files: ExportFile[] = [];
  for (const plan of plans) {
    files.push(
      await buildFile({
        ...source(
          'csv',
          encoded.slice(plan.firstPart - 1, plan.lastPart).map((one) => one.content),
        ),
        number: plan.number,
        count: plans.length,
      }),
    );
  }

  t.true(plans.length > 1);
  t.deepEqual(
    plans.flatMap(({ firstPart, lastPart }) => sizes.slice(firstPart - 1, lastPart)),
    sizes,
  );
  for (const [index, file] of files.entries()) {
    t.true(file.content.length <= 20 * MIB, `${file.content.length} bytes`);
    t.is(file.filename, `shipments-7-20261121-093000-${index + 1}-of-${files.length}.zip`);
  }
  const [entry] = await unzip(files[1]?.content ?? Buffer.alloc(0));
  t.true(entry?.content.toString('utf8', 0, 8).startsWith('\u{feff}uuid'));
});

test('a sheet gets no more rows than it can hold', (t) => {
  const parts = Array.from({ length: 600 }, (_value, index) => ({
    number: index + 1,
    rowCount: 2000,
    storedBytes: 1000,
  }));

  const plans = planMails('xlsx', parts);

  t.deepEqual(plans, [
    { number: 1, firstPart: 1, lastPart: 500 },
    { number: 2, firstPart: 501, lastPart: 600 },
  ]);
});

test('an export without rows is one mail', (t) => {
  const plans = planMails('csv', []);

  t.deepEqual(plans, [{ number: 1, firstPart: 1, lastPart: 0 }]);
});

for (const locale of ['en', 'he']) {
  test(`the mail takes nothing as HTML that a merchant wrote, in ${locale}`, (t) => {
    const texts = exportMailTexts({
      locale,
      accountName: '<script>alert(1)</script>',
      licenseName: '<img src=http://evil.test/x>',
      createdAt: '2026-11-21T09:30:00.123456Z',
      filter: { active: true, type: 1, status: 'delivered', createdTo: '2026-11-20T23:59:59.999999Z' },
      rowCount: 1234,
      filename: 'shipments-7-20261121-093000-1-of-2.zip',
      number: 1,
      count: 2,
    });

    t.false(/<script|<img/.test(texts.html));
    t.true(texts.subject.includes('1,234'));
    t.true(texts.text.includes('2026-11-20 23:59 UTC'));
    t.true(texts.html.includes(locale === 'he' ? 'dir="rtl"' : 'dir="ltr"'));
  });
}

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
    ...values,
  };
  return NAMES.map((name) => defaults[name] ?? null);
}

async function fileOf(
  format: ExportFormat,
  rows: readonly ExportRow[],
  partRows = 1000,
): Promise<ExportFile> {
  const parts: Buffer[] = [];
  for (let start = 0; start < rows.length; start += partRows) {
    parts.push((await encodePart(format, rows.slice(start, start + partRows))).content);
  }
  return await buildFile(source(format, parts));
}

function source(format: ExportFormat, parts: readonly Buffer[]) {
  const filename = exportFilename({ licenseId: 7, createdAt: '2026-11-21T09:30:00.123456Z', format });
  return {
    format,
    filename,
    number: 1,
    count: 1,
    parts: async function* () {
      yield* parts;
    },
  };
}
