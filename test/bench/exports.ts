import { once } from 'node:events';
import { Writable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { setTimeout as delay, setImmediate as turn } from 'node:timers/promises';
import { stringify } from 'csv-stringify';
import exceljs from 'exceljs';
import { createConnection } from 'mysql2';
import { EXPORT_COLUMNS, type ExportFormat } from '../../src/domain/exports.js';
import { ApiClient } from '../support/api-client.js';
import { fillShipments } from '../support/bulk.js';
import { insertTestLicense, type TestLicense } from '../support/factories.js';
import { startMailServer } from '../support/mail-server.js';
import { memoryMib } from '../support/memory.js';
import { startStack, type TestStack } from '../support/stack.js';
import { BenchProcesses } from './processes.js';

const ROWS = Number(process.env.BENCH_ROWS ?? 1_000_000);
const ROUNDS = Number(process.env.BENCH_ROUNDS ?? 3);
const FORMATS = (['csv', 'xlsx'] as const).filter((format) =>
  (process.env.BENCH_FORMATS ?? format).includes(format),
);
const BARE = { csv: bareCsv, xlsx: bareWorkbook };
const POLL_MS = 100;
const NOTHING = [{ status: 'lost' }, { active: false }, { type: 2 }];

/**
 * Exports a license's shipments end to end, from the request to the mail, beside what the libraries do alone with a
 * bare mysql2 stream of the same rows that goes nowhere, in alternating rounds. Then filters that match nothing.
 * `BENCH_ROWS`: how many shipments; `BENCH_ROUNDS`: of each format; `BENCH_FORMATS`: both, unless it names one.
 */
const mail = await startMailServer();
const stack = await startStack({ env: { SMTP_URL: mail.url } });
const processes = new BenchProcesses(stack);
try {
  const license = await insertTestLicense(stack.db, { accountId: stack.account.id });
  const small = await insertTestLicense(stack.db, { accountId: stack.account.id });
  const filledMs = await timed(() => fillShipments(stack.db, license, ROWS));
  console.log(`filled         ${speed(ROWS, filledMs)}`);
  await fillShipments(stack.db, small, 1000);
  const worker = await processes.startWorker('shipments,exports');
  const api = new ApiClient(await stack.startApi(), stack.account);
  for (const format of ['csv', 'xlsx'] as const) await exportAll(api, small, { format });
  const idleMib = memoryMib(worker.pid, 'VmHWM');
  for (const filter of NOTHING) {
    const ms = await timed(() => exportAll(api, license, { format: 'csv', filter }));
    console.log(`nothing        ${(ms / 1000).toFixed(2)} s for ${JSON.stringify(filter)} of ${ROWS} rows`);
  }
  for (const format of FORMATS) {
    await compare(api, license, format, BARE[format]);
    console.log(
      `worker memory  ${idleMib} MiB before, + ${memoryMib(worker.pid, 'VmHWM') - idleMib} MiB at its highest`,
    );
  }
} finally {
  await processes.stop();
  await stack.close();
  await mail.close();
}

type Bare = (of: TestStack, license: TestLicense) => Promise<void>;

/** Alternating rounds; prints each, and the median ratio. */
async function compare(
  api: ApiClient,
  license: TestLicense,
  format: ExportFormat,
  bare: Bare,
): Promise<void> {
  const ratios: number[] = [];
  for (let round = 1; round <= ROUNDS; round++) {
    const bareMs = await timed(() => bare(stack, license));
    const oursMs = await timed(async () => {
      const rows = await exportAll(api, license, { format });
      if (rows !== ROWS) throw new Error(`${rows} rows instead of ${ROWS}`);
    });
    ratios.push(bareMs / oursMs);
    console.log(`${format.padEnd(5)} bare     ${speed(ROWS, bareMs)}`);
    console.log(
      `${format.padEnd(5)} export   ${speed(ROWS, oursMs)}, ${(bareMs / oursMs).toFixed(2)} of bare`,
    );
    if (format === 'csv') await checkLines(api.url);
  }
  ratios.sort((one, other) => one - other);
  console.log(`${format.padEnd(5)} median   ${ratios[Math.floor(ratios.length / 2)]?.toFixed(2)} of bare`);
}

/** From the request to the end; returns the number of rows. */
async function exportAll(
  api: ApiClient,
  license: TestLicense,
  body: { format: ExportFormat; filter?: object },
): Promise<number> {
  mail.mails.length = 0;
  const accepted = await api.post('/exports', { license_key: license.key, ...body });
  if (accepted.status !== 202) throw new Error(accepted.text);
  for (;;) {
    // Seldom, since asking takes from the processor that is measured.
    await delay(POLL_MS);
    const [row] = await stack.db.select('SELECT status, error, row_count FROM exports WHERE id = ?', [
      accepted.body.data.id,
    ]);
    if (row?.status === 'failed') throw new Error(String(row.error));
    if (row?.status === 'completed') return Number(row.row_count);
  }
}

/** Counts the lines of the file that was mailed or linked. */
async function checkLines(url: string): Promise<void> {
  const [sent] = mail.mails;
  const attached = sent?.attachments[0]?.content;
  const [link = ''] = /http:\/\/\S+/.exec(sent?.text ?? '') ?? [];
  const file = attached ?? (await download(new URL(new URL(link).pathname, url)));
  let lines = 0;
  for (let at = file.indexOf('\n'); at !== -1; at = file.indexOf('\n', at + 1)) lines += 1;
  if (lines !== ROWS + 1) throw new Error(`${lines} lines instead of ${ROWS + 1}`);
}

async function download(url: URL): Promise<Buffer> {
  return Buffer.from(await (await fetch(url)).arrayBuffer());
}

/** The same columns and rows as a stream. */
function bareRows(of: TestStack, license: TestLicense) {
  const connection = createConnection({ uri: of.config.databaseUrl, dateStrings: true });
  const query = connection.query(
    `SELECT s.uuid, s.tracking_code, r.name AS carrier, s.status_code, s.service_type, s.is_active, o.order_id, o.number,
       s.recipient_name, s.recipient_phone, s.recipient_company, s.recipient_street, s.recipient_number,
       s.recipient_city, s.recipient_state, s.recipient_zip, s.recipient_country, s.pickup_point_id, s.packages,
       s.cod_amount, s.cod_currency, s.external_id, s.created_at, s.updated_at, s.recipient_entrance, s.recipient_floor,
       s.recipient_apartment, JSON_EXTRACT(s.details, '$.note') AS note, s.delivered_at,
       CONCAT('https://api.parcels.test/track/', s.short_tracking_code) AS tracking_url
     FROM shipments s JOIN carriers r ON r.id = s.carrier_id JOIN orders o ON o.id = s.order_id
     WHERE s.account_id = ? AND s.license_id = ? AND s.state = 'created'`,
    [license.accountId, license.licenseId],
  );
  return { rows: query.stream(), close: () => connection.end() };
}

function nowhere(): Writable {
  return new Writable({ write: (_chunk, _encoding, done) => done() });
}

async function bareCsv(of: TestStack, license: TestLicense): Promise<void> {
  const { rows, close } = bareRows(of, license);
  const csv = stringify({ header: true, bom: true, record_delimiter: 'windows', escape_formulas: true });
  await pipeline(rows, csv, nowhere());
  close();
}

async function bareWorkbook(of: TestStack, license: TestLicense): Promise<void> {
  const { rows, close } = bareRows(of, license);
  const stream = nowhere();
  const ended = once(stream, 'finish');
  const workbook = new exceljs.stream.xlsx.WorkbookWriter({
    stream,
    useStyles: true,
    zip: { zlib: { level: 1 } },
  });
  const sheet = workbook.addWorksheet('Shipments');
  sheet.columns = EXPORT_COLUMNS.map(({ name, width, kind }) => ({
    header: name,
    width,
    ...(kind === 'moment' ? { style: { numFmt: 'yyyy-mm-dd hh:mm:ss' } } : {}),
  }));
  let count = 0;
  for await (const row of rows) {
    const values = Object.values(row);
    for (const index of [22, 23]) values[index] = new Date(`${String(values[index])}Z`);
    sheet.addRow(values).commit();
    count += 1;
    if (count % 1000 === 0) await turn();
  }
  await workbook.commit();
  await ended;
  close();
}

async function timed(work: () => Promise<unknown>): Promise<number> {
  const at = performance.now();
  await work();
  return performance.now() - at;
}

function speed(rows: number, ms: number): string {
  return `${Math.round((rows / ms) * 1000).toLocaleString('en-US')} rows/s (${(ms / 1000).toFixed(1)} s)`;
}
