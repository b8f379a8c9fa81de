import { randomUUID } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { getPriority } from 'node:os';
import { join } from 'node:path';
import { MockActivityEnvironment } from '@temporalio/testing';
import test from 'ava';
import { createExportActivities } from '../../activities/exports.js';
import { workflowIds } from '../../src/contracts/ids.js';
import type { Database } from '../../src/db/database.js';
import {
  beginExport,
  failExport,
  findExport,
  insertExport,
  nameExportFile,
} from '../../src/db/queries/exports/exports.js';
import { createStorage } from '../../src/documents/storage.js';
import { EXPORT_COLUMNS, type ExportRecord, exportFileKey } from '../../src/domain/exports.js';
import { createMailer } from '../../src/outbound/mail.js';
import { exportWriterAside } from '../../src/services/exports/export-aside.js';
import { writeExportFile } from '../../src/services/exports/export-thread.js';
import { ApiClient } from '../support/api-client.js';
import { fillShipments } from '../support/bulk.js';
import { eventually } from '../support/conditions.js';
import { insertTestLicense, type TestLicense } from '../support/factories.js';
import { keepHistory } from '../support/histories.js';
import { type MailServer, startMailServer } from '../support/mail-server.js';
import { startWorkerProcess } from '../support/processes.js';
import { startStack, type TestStack } from '../support/stack.js';

/** Some seconds of writing, and less than is sent as a link. */
const ROWS = 24_000;
/** A file that relays would take as it is, and no longer once base64 has made it larger. */
const LONG_ROWS = 4200;
const MIB = 1024 * 1024;

let mail: MailServer;
let stack: TestStack;
let api: ApiClient;
let license: TestLicense;

test.before(async () => {
  mail = await startMailServer();
  stack = await startStack({ env: { SMTP_URL: mail.url } });
  license = await insertTestLicense(stack.db, { accountId: stack.account.id });
  await fillShipments(stack.db, license, ROWS);
  api = new ApiClient(await stack.startApi(), stack.account);
});

test.after.always(async () => {
  await stack?.close();
  await mail?.close();
});

test.serial(
  'exportShipments: a worker killed at half and one killed while it mails, every row once, one mail',
  async (t) => {
    mail.mode('hang', 1);
    const worker = await startWorkerProcess(t, stack);
    const exportId = await accept(license);

    await eventually(() => incomingBytes() > MIB, 'a part of the file');
    await worker.kill9();
    const halves = incomingFiles().length;
    const finished = finishedFiles().length;
    const before = mail.attempts();
    await worker.start();
    await eventually(() => mail.attempts() > before, 'the mail that hangs', 60_000);
    await worker.kill9();
    await worker.start();
    const done = await ended(exportId, license);

    t.is(halves, 1);
    t.is(finished, 0);
    t.like(done, { status: 'completed', row_count: ROWS, error: null });
    t.is(mail.mails.length, 1);
    const uuids = uuidsOf(mail.mails[0]?.attachments[0]?.content ?? Buffer.alloc(0));
    t.is(uuids.length, ROWS);
    t.deepEqual(uuids.sort(), await storedUuids(license));
    await keepHistory(
      stack.temporal.workflow.getHandle(workflowIds.exportShipments(license)),
      'exportShipments',
      'killed-twice',
    );
  },
);

test.serial('exportShipments: a large file is mailed as a link, which housekeeping ends', async (t) => {
  mail.mails.length = 0;
  const large = await insertTestLicense(stack.db, { accountId: stack.account.id });
  await fillShipments(stack.db, large, LONG_ROWS);
  await lengthen(large);
  const stopWorkers = await stack.startWorkers();
  t.teardown(stopWorkers);

  const done = await ended(await accept(large), large);
  const [sent] = mail.mails;
  const [link = ''] = /http:\/\/\S+/.exec(sent?.text ?? '') ?? [];
  const path = new URL(link).pathname;
  const downloaded = await fetch(api.url + path);
  const file = Buffer.from(await downloaded.arrayBuffer());
  await stack.db.run('UPDATE exports SET file_expires_at = NOW(6) WHERE id = ?', [done.id]);
  await stack.temporal.workflow.execute('housekeeping', {
    taskQueue: 'shipments',
    workflowId: 'housekeeping-links',
  });
  const gone = await fetch(api.url + path);

  t.is(sent?.attachments.length, 0);
  t.regex(
    path,
    /^\/storage\/export\/[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f-]{21}\/shipments-\d+-\d{8}-\d{6}\.csv$/,
  );
  t.is(downloaded.status, 200);
  t.true(file.length > 7.2 * MIB && file.length < 10 * MIB, `${file.length} bytes`);
  t.deepEqual(uuidsOf(file).sort(), await storedUuids(large));
  t.is(gone.status, 410);
  t.false(existsSync(join(exportsFolder(), `${path.split('/')[3]}.csv`)));
});

test.serial(
  'writeExportRows: workers that write one export at the same time each finish a whole file',
  async (t) => {
    const exportId = await insertExport(stack.db, { ...license, format: 'csv', filter: {} });
    const input = { exportId, accountId: license.accountId, licenseId: license.licenseId };
    const activities = exportActivities({});
    await activities.beginExport(input);

    const write = () => new MockActivityEnvironment().run(activities.writeExportRows, input);
    const ends = await Promise.all([write(), write()]);

    const record = await findExport(stack.db, input);
    const file = await createStorage(stack.config.storage).read(exportFileKey(record!));
    t.deepEqual(ends, Array(2).fill(ROWS));
    t.deepEqual(uuidsOf(file ?? Buffer.alloc(0)).sort(), await storedUuids(license));
  },
);

test.serial('writeExportRows: an export that was ended meanwhile leaves no file', async (t) => {
  const other = await insertTestLicense(stack.db, { accountId: stack.account.id });
  await fillShipments(stack.db, other, 10);
  const exportId = await insertExport(stack.db, { ...other, format: 'xlsx', filter: {} });
  const input = { exportId, accountId: other.accountId, licenseId: other.licenseId };
  const { db } = stack;
  const endsMeanwhile: Database = {
    ...db,
    async select(sql, params) {
      if (sql.includes('FROM shipments')) await failExport(db, { ...input, error: 'for a test' });
      return await db.select(sql, params);
    },
  };
  const sources = {
    db: endsMeanwhile,
    storage: createStorage(stack.config.storage),
    baseUrl: stack.config.baseUrl,
  };
  const activities = exportActivities({
    writeFile: (record, writing) => writeExportFile(sources, record, writing),
  });
  await activities.beginExport(input);
  const before = finishedFiles();

  const writing = new MockActivityEnvironment().run(activities.writeExportRows, input) as Promise<unknown>;
  await t.throwsAsync(writing, { message: 'The export was ended from outside.' });

  t.deepEqual(finishedFiles(), before);
});

test.serial('exportWriterAside: a writing that is cancelled ends early and leaves no file', async (t) => {
  const record = await begun({ rows: LONG_ROWS });
  const before = allFiles();
  const ending = new AbortController();

  let count = 0;
  const onRows = (soFar: number) => {
    count = soFar;
    ending.abort(new Error('no longer wanted'));
  };
  const writing = exportWriterAside(stack.config)(record, { onRows, signal: ending.signal });
  await t.throwsAsync(writing, { message: 'no longer wanted' });

  t.true(count > 0 && count < LONG_ROWS, String(count));
  t.deepEqual(allFiles(), before);
});

(process.platform === 'linux' ? test.serial : test.skip)(
  'exportWriterAside: the thread gives way to the others of its process',
  async (t) => {
    const record = await begun({ rows: 1 });
    await eventually(() => niceThreads() === 0, 'the end of the threads of other tests');

    let during = 0;
    const onRows = () => {
      during = niceThreads();
    };
    const rows = await exportWriterAside(stack.config)(record, {
      onRows,
      signal: new AbortController().signal,
    });

    t.is(rows, 1);
    t.is(during, 1);
  },
);

test.serial('exportWriterAside: trouble with MySQL is the trouble of the writing', async (t) => {
  const record = await begun({ rows: 1 });
  const before = allFiles();
  const databaseUrl = 'mysql://root@127.0.0.1:1/none';
  const signal = new AbortController().signal;

  const writing = exportWriterAside({ ...stack.config, databaseUrl })(record, {
    onRows: () => undefined,
    signal,
  });

  await t.throwsAsync(writing, { message: /ECONNREFUSED/ });
  t.deepEqual(allFiles(), before);
});

test.serial(
  'mailExport: a try that cannot write down that the mail is out tells the next one so too',
  async (t) => {
    const environment = new MockActivityEnvironment({ heartbeatDetails: 'sent' });
    const heartbeats: unknown[] = [];
    environment.on('heartbeat', (details: unknown) => heartbeats.push(details));
    const away: Database = {
      ...stack.db,
      async select() {
        await eventually(() => heartbeats.length > 1, 'two heartbeats');
        throw new Error('MySQL is away.');
      },
    };
    const { mailExport } = exportActivities({ db: away });

    const mailing = environment.run(mailExport, { exportId: 1, accountId: 1, licenseId: 1, rowCount: 1 });
    await t.throwsAsync(mailing as Promise<unknown>, { message: 'MySQL is away.' });

    t.deepEqual([...new Set(heartbeats)], ['sent']);
  },
);

function exportActivities(own: Partial<Parameters<typeof createExportActivities>[0]>) {
  return createExportActivities({
    db: stack.db,
    storage: createStorage(stack.config.storage),
    mailer: createMailer({ smtpUrl: mail.url, from: 'exports@parcels.test' }),
    config: { baseUrl: 'https://api.parcels.test' },
    writeFile: exportWriterAside(stack.config),
    ...own,
  });
}

/** An export that is being processed and whose file has a name, of a new license. */
async function begun({ rows }: { rows: number }): Promise<ExportRecord> {
  const of = await insertTestLicense(stack.db, { accountId: stack.account.id });
  await fillShipments(stack.db, of, rows);
  const exportId = await insertExport(stack.db, { ...of, format: 'csv', filter: {} });
  const ref = { exportId, accountId: of.accountId };
  await beginExport(stack.db, ref);
  await nameExportFile(stack.db, { ...ref, fileUuid: randomUUID() });
  const record = await findExport(stack.db, ref);
  if (record === null) throw new Error('no export');
  return record;
}

async function accept(of: TestLicense): Promise<number> {
  const accepted = await api.post('/exports', { license_key: of.key });
  if (accepted.status !== 202) throw new Error(accepted.text);
  return accepted.body.data.id;
}

async function ended(exportId: number, of: TestLicense) {
  const isEnded = async () => {
    const { body } = await api.get(`/exports/${exportId}?license_key=${of.key}`);
    return ['completed', 'failed'].includes(body.data.status) ? body.data : null;
  };
  return await eventually(isEnded, 'the end of the export', 90_000);
}

/** Fills the texts of a license's shipments to their limits. */
async function lengthen(of: TestLicense): Promise<void> {
  const noise = (length: number) => `LEFT(CONCAT(SHA2(RAND(), 512), SHA2(RAND(), 512)), ${length})`;
  await stack.db.run(
    `UPDATE shipments s JOIN orders o ON o.id = s.order_id
     SET s.recipient_name = ${noise(255)}, s.recipient_company = ${noise(255)}, s.recipient_street = ${noise(255)},
       s.recipient_city = ${noise(255)}, s.recipient_state = ${noise(255)}, s.external_id = ${noise(191)},
       o.number = ${noise(255)} WHERE s.license_id = ?`,
    [of.licenseId],
  );
}

async function storedUuids(of: TestLicense): Promise<string[]> {
  const rows = await stack.db.select('SELECT uuid FROM shipments WHERE license_id = ?', [of.licenseId]);
  return rows.map((row) => String(row.uuid)).sort();
}

function exportsFolder(): string {
  return join(stack.env.STORAGE_DIR ?? '', 'exports');
}

function finishedFiles(): string[] {
  return existsSync(exportsFolder()) ? readdirSync(exportsFolder()) : [];
}

function incomingFiles(): string[] {
  const folder = join(stack.env.STORAGE_DIR ?? '', 'incoming');
  return existsSync(folder) ? readdirSync(folder).map((name) => join(folder, name)) : [];
}

/** Threads of this process that have a lower priority than its first. */
function niceThreads(): number {
  const all = readdirSync('/proc/self/task').map((id) => readFileSync(`/proc/self/task/${id}/stat`, 'utf8'));
  return all.filter((stat) => Number(stat.slice(stat.lastIndexOf(')')).split(' ')[17]) > getPriority())
    .length;
}

/** Those of killed workers included, which stay for an hour. */
function allFiles(): string[] {
  return [...finishedFiles(), ...incomingFiles()];
}

function incomingBytes(): number {
  return incomingFiles().reduce(
    (sum, path) => sum + (statSync(path, { throwIfNoEntry: false })?.size ?? 0),
    0,
  );
}

/** First column of the rows. */
function uuidsOf(csv: Buffer): string[] {
  const lines = csv.toString('utf8').trimEnd().split('\r\n');
  if (lines[0] !== `\u{feff}${EXPORT_COLUMNS.map(({ name }) => name).join(',')}`) throw new Error('no head');
  return lines.slice(1).map((line) => line.split(',')[0] ?? '');
}
