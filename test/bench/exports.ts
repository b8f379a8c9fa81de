import { Writable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { setTimeout as delay } from 'node:timers/promises';
import { stringify } from 'csv-stringify';
import { simpleParser } from 'mailparser';
import { createConnection } from 'mysql2';
import { SMTPServer } from 'smtp-server';
import { freePort } from '../../src/dev/commands.js';
import { ApiClient } from '../support/api-client.js';
import { fillShipments } from '../support/bulk.js';
import { insertTestLicense, type TestLicense } from '../support/factories.js';
import { memoryMib } from '../support/memory.js';
import { startStack, type TestStack } from '../support/stack.js';
import { unzip } from '../support/unzip.js';
import { BenchProcesses } from './processes.js';

const ROUNDS = 2;
const ROWS = Number(process.argv[2] ?? 1_000_000);
const FORMATS = process.argv[3] === undefined ? (['csv'] as const) : (['csv', 'xlsx'] as const);
const POLL_MS = 100;

/**
 * Exports a licence's shipments end to end (rows, files, mails), beside a bare mysql2 stream of the same query into
 * csv-stringify that goes nowhere, in alternating rounds. Arguments: how many shipments (1,000,000), and `xlsx` for
 * workbooks as well.
 */
const mail = await startMailbox();
const stack = await startStack({ env: { SMTP_URL: mail.url } });
const processes = new BenchProcesses(stack);
try {
  const license = await insertTestLicense(stack.db, { accountId: stack.account.id });
  console.log(`filling ${ROWS} shipments`);
  await fillShipments(stack.db, license, ROWS);
  const worker = await processes.startWorker('shipments,exports');
  const api = new ApiClient(await stack.startApi(), stack.account);
  await exportAll(api, license, mail, { format: 'csv', filter: { status: 'lost' } });
  const idleMib = memoryMib(worker.pid, 'VmRSS');
  for (let round = 1; round <= ROUNDS; round++) {
    const bare = await bareStream(stack, license);
    console.log(`bare stream    ${speed(ROWS, bare)}`);
    for (const format of FORMATS) {
      const ours = await exportAll(api, license, mail, { format });
      const ratio = (bare / ours.totalMs).toFixed(2);
      const writing = speed(ROWS, ours.writtenMs);
      console.log(
        `export ${format.padEnd(7)} ${speed(ROWS, ours.totalMs)}, ${ratio} of bare; rows alone ${writing}`,
      );
      console.log(`               ${ours.mails} mail(s), ${ours.rows} rows in them`);
    }
  }
  const grownMib = memoryMib(worker.pid, 'VmHWM') - idleMib;
  console.log(`worker memory  ${idleMib} MiB before, + ${grownMib} MiB at its highest`);
} finally {
  await processes.stop();
  await stack.close();
  mail.close();
}

interface Exported {
  totalMs: number;
  /** Until the last row was stored. */
  writtenMs: number;
  mails: number;
  rows: number;
}

async function exportAll(
  api: ApiClient,
  license: TestLicense,
  server: Mailbox,
  body: { format: 'csv' | 'xlsx'; filter?: object },
): Promise<Exported> {
  server.mails.length = 0;
  const at = performance.now();
  const accepted = await api.post('/exports', { license_key: license.key, ...body });
  if (accepted.status !== 202) throw new Error(accepted.text);
  const { id } = accepted.body.data;
  let writtenMs = 0;
  for (let status = 'pending'; status !== 'completed'; ) {
    // Seldom, since asking takes from the processor that is measured.
    await delay(POLL_MS);
    const [row] = await stack.db.select(
      `SELECT status, error, (SELECT COUNT(*) FROM export_mails WHERE export_id = exports.id) AS mails
       FROM exports WHERE id = ?`,
      [id],
    );
    status = String(row?.status);
    if (status === 'failed') throw new Error(String(row?.error));
    if (writtenMs === 0 && (Number(row?.mails) > 0 || status === 'completed'))
      writtenMs = performance.now() - at;
  }
  const totalMs = performance.now() - at;
  const mails = server.mails.length;
  return { totalMs, writtenMs, mails, rows: body.format === 'csv' ? await rowsIn(server) : ROWS };
}

/** Lines of the files that were mailed, without their heads. */
async function rowsIn(box: Mailbox): Promise<number> {
  let rows = 0;
  for (const raw of box.mails) {
    const { attachments } = await simpleParser(raw);
    for (const { filename, content } of attachments) {
      const files = filename?.endsWith('.zip') ? await unzip(content) : [{ content }];
      for (const file of files) rows += lines(file.content) - 1;
    }
  }
  return rows;
}

/** Keeps mails as they come: parsing them is not what is measured. */
interface Mailbox {
  url: string;
  mails: Buffer[];
  close(): void;
}

async function startMailbox(): Promise<Mailbox> {
  const mails: Buffer[] = [];
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ['AUTH', 'STARTTLS'],
    disableReverseLookup: true,
    onData: (stream, _session, done) => {
      const pieces: Buffer[] = [];
      stream.on('data', (piece: Buffer) => pieces.push(piece));
      stream.on('end', () => {
        mails.push(Buffer.concat(pieces));
        done();
      });
    },
  });
  const port = await freePort(18_500);
  await new Promise<void>((resolve) => {
    server.listen(port, '127.0.0.1', resolve);
  });
  return { url: `smtp://127.0.0.1:${port}`, mails, close: () => server.close() };
}

function lines(csv: Buffer): number {
  let count = 0;
  for (let at = csv.indexOf('\n'); at !== -1; at = csv.indexOf('\n', at + 1)) count += 1;
  return count;
}

/** The same columns and rows, read as a stream and written as CSV to nowhere; gives the time in ms. */
async function bareStream(of: TestStack, license: TestLicense): Promise<number> {
  const connection = createConnection({ uri: of.config.databaseUrl, dateStrings: true });
  const at = performance.now();
  const query = connection.query(
    `SELECT s.uuid, s.tracking_code, r.name AS carrier, s.status_code, s.service_type, s.is_active, o.order_id, o.number,
       s.recipient_name, s.recipient_phone, s.recipient_company, s.recipient_street, s.recipient_number,
       s.recipient_city, s.recipient_state, s.recipient_zip, s.recipient_country, s.pickup_point_id, s.packages,
       s.cod_amount, s.cod_currency, s.external_id, s.created_at, s.updated_at
     FROM shipments s JOIN carriers r ON r.id = s.carrier_id JOIN orders o ON o.id = s.order_id
     WHERE s.account_id = ? AND s.license_id = ? AND s.state = 'created'`,
    [license.accountId, license.licenseId],
  );
  await pipeline(
    query.stream(),
    stringify({ header: true, bom: true, record_delimiter: 'windows', escape_formulas: true }),
    new Writable({ write: (_chunk, _encoding, done) => done() }),
  );
  const took = performance.now() - at;
  connection.end();
  return took;
}

function speed(rows: number, ms: number): string {
  return `${Math.round((rows / ms) * 1000).toLocaleString('en-US')} rows/s (${(ms / 1000).toFixed(1)} s)`;
}
