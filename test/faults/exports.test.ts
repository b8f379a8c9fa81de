import { MockActivityEnvironment } from '@temporalio/testing';
import test from 'ava';
import { createConnection } from 'mysql2/promise';
import { createExportWritingActivities } from '../../activities/export-writing.js';
import type { ExportProgress } from '../../src/contracts/export-shipments.js';
import { workflowIds } from '../../src/contracts/ids.js';
import { getExportPart, listExportParts } from '../../src/db/queries/export-parts.js';
import { failExport, insertExport } from '../../src/db/queries/exports.js';
import { inflatePiece } from '../../src/documents/exports/parts.js';
import { EXPORT_COLUMNS } from '../../src/domain/exports.js';
import { ApiClient } from '../support/api-client.js';
import { fillShipments } from '../support/bulk.js';
import { eventually } from '../support/conditions.js';
import { insertTestLicense, type TestLicense, uniqueText } from '../support/factories.js';
import { keepHistory } from '../support/histories.js';
import { type MailServer, startMailServer } from '../support/mail-server.js';
import { startWorkerProcess } from '../support/processes.js';
import { startStack, type TestStack } from '../support/stack.js';

/** Eleven parts. */
const ROWS = 16_001;
/** Part that the first worker does not get to write. */
const HELD_PART = 3;

let mail: MailServer;
let stack: TestStack;
let license: TestLicense;

test.before(async () => {
  mail = await startMailServer();
  stack = await startStack({ env: { SMTP_URL: mail.url } });
  license = await insertTestLicense(stack.db, { accountId: stack.account.id });
  await fillShipments(stack.db, license, ROWS);
});

test.after.always(async () => {
  await stack?.close();
  await mail?.close();
});

test.serial('a worker killed at half and one killed while it mails: every row once, one mail', async (t) => {
  t.timeout(180_000);
  const api = new ApiClient(await stack.startApi(), stack.account);
  const accepted = await api.post('/exports', { license_key: license.key });
  const exportId: number = accepted.body.data.id;
  const release = await holdPart();
  t.teardown(release);
  const worker = await startWorkerProcess(t, stack);
  mail.mode('hang', 1);

  await eventually(async () => (await parts(exportId)) === HELD_PART - 1, 'the parts before the held one');
  await worker.kill9();
  await release();
  await worker.start();
  await eventually(() => mail.attempts() === 1, 'the mail that hangs');
  const kept = mail.mails.length;
  await worker.kill9();
  await worker.start();
  const done = await eventually(async () => {
    const { body } = await api.get(`/exports/${exportId}?license_key=${license.key}`);
    return ['completed', 'failed'].includes(body.data.status) ? body.data : null;
  }, 'the end of the export');

  t.like(done, { status: 'completed', row_count: ROWS, error: null });
  t.is(kept, 0);
  t.is(mail.mails.length, 1);
  const uuids = uuidsOf(mail.mails[0]?.attachments[0]?.content ?? Buffer.alloc(0));
  const stored = await stack.db.select('SELECT uuid FROM shipments WHERE license_id = ?', [
    license.licenseId,
  ]);
  t.is(uuids.length, ROWS);
  t.deepEqual(uuids.sort(), stored.map((row) => String(row.uuid)).sort());
  await eventually(async () => (await parts(exportId)) === 0, 'the end of the parts');
  await keepHistory(
    stack.temporal.workflow.getHandle(workflowIds.exportShipments(license.licenseId)),
    'exportShipments',
    'killed-twice',
  );
});

test.serial('workers that write one export at the same time write every row once', async (t) => {
  const { accountId, licenseId } = license;
  const ref = {
    accountId,
    exportId: await insertExport(stack.db, { ...license, format: 'csv', filter: {} }),
  };
  const activities = createExportWritingActivities({ db: stack.db });
  const input = { ...ref, licenseId };
  await activities.beginExport(input);

  const writeAll = async () => {
    for (;;) {
      const call = new MockActivityEnvironment().run(activities.writeExportRows, input);
      const { rows, more } = (await call) as ExportProgress;
      if (!more) return rows;
    }
  };
  const ends = await Promise.all([writeAll(), writeAll(), writeAll(), writeAll()]);

  const written: string[] = [];
  for (const { number } of await listExportParts(stack.db, ref)) {
    const csv = await inflatePiece(await getExportPart(stack.db, ref, number));
    written.push(
      ...csv
        .toString('utf8')
        .trimEnd()
        .split('\r\n')
        .map((line) => line.split(',')[0] ?? ''),
    );
  }
  t.deepEqual(ends, [ROWS, ROWS, ROWS, ROWS]);
  t.is(written.length, ROWS);
  t.is(new Set(written).size, ROWS);
  await failExport(stack.db, { ...ref, error: 'for a test' });
});

test.serial('rows of very long texts come in smaller parts, none is left out', async (t) => {
  const large = await insertTestLicense(stack.db, { accountId: stack.account.id });
  await fillShipments(stack.db, large, 5000);
  const noise = (length: number) => `LEFT(CONCAT(SHA2(RAND(), 512), SHA2(RAND(), 512)), ${length})`;
  await stack.db.run(
    `UPDATE shipments s JOIN orders o ON o.id = s.order_id
     SET s.recipient_name = ${noise(255)}, s.recipient_company = ${noise(255)}, s.recipient_street = ${noise(255)},
       s.recipient_city = ${noise(255)}, s.recipient_state = ${noise(255)}, s.external_id = ${noise(191)},
       o.number = ${noise(255)} WHERE s.license_id = ?`,
    [large.licenseId],
  );
  const exportId = await insertExport(stack.db, { ...large, format: 'csv', filter: {} });
  const input = { exportId, accountId: large.accountId, licenseId: large.licenseId };
  const activities = createExportWritingActivities({ db: stack.db });
  await activities.beginExport(input);

  const end = await new MockActivityEnvironment().run(activities.writeExportRows, input);

  const stored = await listExportParts(stack.db, input);
  t.deepEqual(end, { rows: 5000, more: false });
  t.is(
    stored.reduce((sum, part) => sum + part.rowCount, 0),
    5000,
  );
  t.true(stored.every((part) => part.storedBytes <= 3 * 1024 * 1024));
});

/** Lets nobody store the held part until the returned function is called. */
async function holdPart(): Promise<() => Promise<void>> {
  const connection = await createConnection(stack.config.databaseUrl);
  const lock = `'${uniqueText('hold')}'`;
  await connection.query(`SELECT GET_LOCK(${lock}, 0)`);
  await connection.query(
    `CREATE TRIGGER hold_part BEFORE INSERT ON export_parts FOR EACH ROW
     BEGIN IF NEW.number = ${HELD_PART} THEN DO GET_LOCK(${lock}, 60); DO RELEASE_LOCK(${lock}); END IF; END`,
  );
  let released: Promise<void> | undefined;
  return () => {
    released ??= connection.end();
    return released;
  };
}

async function parts(exportId: number): Promise<number> {
  const [row] = await stack.db.select('SELECT COUNT(*) AS parts FROM export_parts WHERE export_id = ?', [
    exportId,
  ]);
  return Number(row?.parts);
}

/** First column of the rows. */
function uuidsOf(csv: Buffer): string[] {
  const lines = csv.toString('utf8').trimEnd().split('\r\n');
  if (lines[0] !== `\u{feff}${EXPORT_COLUMNS.map(({ name }) => name).join(',')}`) throw new Error('no head');
  return lines.slice(1).map((line) => line.split(',')[0] ?? '');
}
