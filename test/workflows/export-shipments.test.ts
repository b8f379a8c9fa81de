import { randomUUID } from 'node:crypto';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import test from 'ava';
import { workflowIds } from '../../src/contracts/ids.js';
import { findExport, findExportInFlight, insertExport } from '../../src/db/queries/exports/exports.js';
import { endAbandoned } from '../../src/services/exports/abandoned-exports.js';
import { createExport } from '../../src/services/exports/create-export.js';
import { ApiClient } from '../support/api-client.js';
import { eventually } from '../support/conditions.js';
import { insertTestShipment, type TestLicense } from '../support/factories.js';
import { keepHistory } from '../support/histories.js';
import { type MailServer, startMailServer } from '../support/mail-server.js';
import { startStack, type TestStack } from '../support/stack.js';

let mail: MailServer;
let stack: TestStack;
let api: ApiClient;
let license: TestLicense;
let stopWorkers: () => Promise<void>;

test.before(async () => {
  mail = await startMailServer();
  stack = await startStack({ env: { SMTP_URL: mail.url, MAIL_FROM: 'Parcels <exports@parcels.test>' } });
  stopWorkers = await stack.startWorkers();
  api = new ApiClient(await stack.startApi(), stack.account);
  license = await licenseOf('run');
  for (let number = 1; number <= 3; number += 1) {
    await insertTestShipment(stack.db, license, {
      tracking_code: `T-${number}`,
      recipient_name: number === 2 ? '=cmd|calc' : 'דנה לוי',
      service_type: number === 3 ? 2 : 1,
      cod_amount: '120.50',
      cod_currency: 'ILS',
    });
  }
  await insertTestShipment(stack.db, await licenseOf('independent'), { tracking_code: 'T-other' });
  await insertTestShipment(stack.db, license, { state: 'reserved', tracking_code: null });
});

test.beforeEach(() => {
  mail.mails.length = 0;
  mail.mode('accept');
});

test.after.always(async () => {
  await stack?.close();
  await mail?.close();
});

test.serial('an export is mailed to the account as CSV, and reads as completed', async (t) => {
  const accepted = await post({});
  const done = await ended(accepted.body.data.id);

  t.is(accepted.status, 202, accepted.text);
  t.like(accepted.body.data, { type: 'shipments', status: 'pending', platform: 'api_v2', row_count: null });
  t.like(done, { status: 'completed', row_count: 3, error: null, download_url: null });
  t.regex(done.filename, new RegExp(`^shipments-${license.licenseId}-\\d{8}-\\d{6}\\.csv$`));
  t.is(mail.mails.length, 1);
  const [sent] = mail.mails;
  t.is(sent?.subject, 'Your shipment export is ready (Run)');
  t.is(sent?.from?.text, '"Parcels" <exports@parcels.test>');
  t.regex(sent?.text ?? '', /Shipments: 3\n/);
  t.regex(sent?.text ?? '', /Filters: none: all shipments/);
  const [attachment] = sent?.attachments ?? [];
  t.is(attachment?.filename, done.filename);
  const lines = attachment?.content.toString('utf8').split('\r\n') ?? [];
  t.is(lines.length, 5);
  t.true(lines[0]?.startsWith('\u{feff}uuid,tracking_code,carrier,status,service_type,is_active,order_id'));
  t.regex(lines[1] ?? '', /,T-1,.*,דנה לוי,.*,120\.50,ILS,/);
  t.regex(lines[2] ?? '', /,'=cmd\|calc,/);
  await keepHistory(handle(), 'exportShipments', 'completed');
  t.deepEqual(await filesAfterHousekeeping(), [await fileOf(accepted.body.data.id)], 'the panel offers it');
});

test.serial('an export as XLSX with filters says so in its mail', async (t) => {
  const accepted = await post({
    format: 'xlsx',
    filter: { type: '2', active: true, created_from: '2020-01-01' },
  });
  const done = await ended(accepted.body.data.id);

  t.like(done, { status: 'completed', row_count: 1 });
  const [sent] = mail.mails;
  t.regex(sent?.attachments[0]?.filename ?? '', /\.xlsx$/);
  t.regex(sent?.text ?? '', /active only, collections, created from 2020-01-01 00:00 UTC/);
});

test.serial(
  'an export over all licenses is one file in order of time, whose last column names the license',
  async (t) => {
    const { accountId } = license;
    const { id } = await createExport(stack, { accountId, license: null, filter: {}, format: 'csv' });
    const done = await endedInMysql(id);
    const foreign = await api.get(`/exports/${id}?license_key=${stack.account.licenseKeys.run}`);

    t.like(done, { status: 'completed', rowCount: 4 });
    t.regex(String(done.filename), /^shipments-all-\d{8}-\d{6}\.csv$/);
    const [sent] = mail.mails;
    t.is(sent?.subject, 'Your shipment export is ready (all licenses)');
    t.is(sent?.attachments[0]?.filename, String(done.filename));
    const lines = sent?.attachments[0]?.content.toString('utf8').trimEnd().split('\r\n') ?? [];
    const cells = lines.map((line) => line.split(','));
    t.is(cells[0]?.at(-1), 'license');
    t.deepEqual(
      cells.slice(1).map((row) => [row[1], row.at(-1)]),
      [
        ['T-1', 'Run'],
        ['T-2', 'Run'],
        ['T-3', 'Run'],
        ['T-other', 'Independent couriers'],
      ],
    );
    t.is(foreign.status, 404, 'API v2 knows exports of a license alone');
    const workflowId = workflowIds.exportShipments({ accountId, licenseId: null });
    await keepHistory(stack.temporal.workflow.getHandle(workflowId), 'exportShipments', 'over-all-licenses');
  },
);

test.serial('an export without rows is a file with a head', async (t) => {
  const accepted = await post({ filter: { status: 'lost' } });
  const done = await ended(accepted.body.data.id);

  t.like(done, { status: 'completed', row_count: 0 });
  t.is(mail.mails[0]?.attachments[0]?.content.toString('utf8').split('\r\n').length, 2);
});

test.serial('of two exports at once one is accepted, and the next one after it', async (t) => {
  const answers = await Promise.all([post({}), post({}), post({}), post({})]);
  const accepted = answers.filter((one) => one.status === 202);
  const refused = answers.find((one) => one.status === 409);
  const done = await ended(accepted[0]?.body.data.id);
  const next = await post({});
  await ended(next.body.data.id);

  t.is(accepted.length, 1);
  t.is(refused?.body.error.code, 'duplicate_request');
  t.is(refused?.body.error.message, 'An export is already being prepared for this license.');
  t.is(done.status, 'completed');
  t.is(next.status, 202, next.text);
  t.is(mail.mails.length, 2);
});

test.serial('a mail server that defers a mail gets it at the next try', async (t) => {
  mail.mode('defer', 1);
  const attempts = mail.attempts();
  const accepted = await post({});
  const done = await ended(accepted.body.data.id);

  t.is(done.status, 'completed');
  t.is(mail.mails.length, 1);
  t.is(mail.attempts() - attempts, 2);
  await keepHistory(handle(), 'exportShipments', 'deferred');
});

test.serial('a mail server that refuses the address fails the export at once', async (t) => {
  mail.mode('refuse');
  const accepted = await post({});
  const done = await ended(accepted.body.data.id);

  t.like(done, {
    status: 'failed',
    row_count: null,
    error: "The mail server refused the mail to the account's e-mail address.",
  });
  await keepHistory(handle(), 'exportShipments', 'refused');
  t.false((await filesAfterHousekeeping()).includes(await fileOf(accepted.body.data.id)));
});

test.serial('a mail server that refuses the file for its size gets the link, of a real domain', async (t) => {
  mail.mode('too_large', 1);
  const attempts = mail.attempts();
  const accepted = await post({});
  const done = await ended(accepted.body.data.id);

  t.is(done.status, 'completed');
  t.is(mail.attempts() - attempts, 2);
  t.is(mail.mails.length, 1);
  t.is(mail.mails[0]?.attachments.length, 0);
  t.regex(String(mail.mails[0]?.text), /\/storage\/export\//);
  t.regex(String(mail.mails[0]?.messageId), /^<export-[^@]+@(?!parcelworks>)[^@]+>$/);
});

test.serial('a mail whose acceptance was not heard of comes again with the same Message-ID', async (t) => {
  mail.mode('drop_after_accept', 1);
  const accepted = await post({});
  const done = await ended(accepted.body.data.id);

  t.is(done.status, 'completed');
  t.is(mail.mails.length, 2);
  t.is(mail.mails[0]?.messageId, mail.mails[1]?.messageId);
});

test.serial('an export that an operator cancels is failed and frees the place', async (t) => {
  mail.mode('defer');
  const accepted = await post({});
  await eventually(async () => (await read(accepted.body.data.id)).status === 'processing', 'the processing');
  await handle().cancel();
  const done = await ended(accepted.body.data.id);
  mail.mode('accept');
  await t.throwsAsync(handle().result());
  await keepHistory(handle(), 'exportShipments', 'cancelled');
  const next = await post({});
  await ended(next.body.data.id);

  t.is(done.status, 'failed');
  t.is(done.error, 'The export was cancelled by an operator. Ask for it again when it is needed.');
  t.is(next.status, 202, next.text);
  t.is(mail.mails.length, 1);
});

test.serial('an export that was terminated is swept up, or gives way to the next request', async (t) => {
  await handle().result();
  await stopWorkers();
  const swept = await accept({});
  await handle().terminate();
  await age(swept);
  const blocked = await accept({ filter: { active: false } });
  const replaced = await read(swept);
  await handle().terminate();
  await age(blocked);
  await stack.startWorkers();
  const sweep = await stack.temporal.workflow.execute('housekeeping', {
    taskQueue: 'shipments',
    workflowId: 'housekeeping-exports',
  });
  const failed = await read(blocked);

  t.like(replaced, { status: 'failed', error: 'The export was ended from outside.' });
  t.like(sweep, { exports: 1 });
  t.like(failed, { status: 'failed', error: 'The export was ended from outside.' });
});

test.serial(
  'an export that took the place before the former run had closed, and was not started, is made',
  async (t) => {
    const { accountId, licenseId } = await licenseOf('lionwheel');
    const owner = { accountId, licenseId };
    const former = await stack.temporal.workflow.start('exportShipments', {
      workflowId: workflowIds.exportShipments(owner),
      taskQueue: 'nobody',
      args: [{ ...owner, exportId: 0 }],
    });
    const exportId = await insertExport(stack.db, { ...owner, format: 'csv', filter: {} });
    await former.terminate();

    const found = await findExportInFlight(stack.db, owner);
    const isFailed = found !== null && (await endAbandoned(stack, found));

    t.false(isFailed);
    t.is((await endedInMysql(exportId)).status, 'completed');
  },
);

test.serial('an export whose run the engine does not know is made by housekeeping', async (t) => {
  const { accountId, licenseId } = await licenseOf('independent');
  const exportId = await insertExport(stack.db, { accountId, licenseId, format: 'csv', filter: {} });
  await age(exportId);

  await stack.temporal.workflow.execute('housekeeping', {
    taskQueue: 'shipments',
    workflowId: 'housekeeping-forgotten',
  });

  t.is((await endedInMysql(exportId)).status, 'completed');
});

async function post(body: object) {
  return await api.post('/exports', { license_key: stack.account.licenseKeys.run, ...body });
}

/** Asks for an export that must be accepted, and gives its id. */
async function accept(body: object): Promise<number> {
  const accepted = await post(body);
  if (accepted.status !== 202) throw new Error(accepted.text);
  return accepted.body.data.id;
}

async function read(id: number) {
  const answer = await api.get(`/exports/${id}?license_key=${stack.account.licenseKeys.run}`);
  if (answer.status !== 200) throw new Error(answer.text);
  return answer.body.data;
}

async function ended(id: number) {
  return await eventually(async () => {
    const found = await read(id);
    return found.status === 'completed' || found.status === 'failed' ? found : null;
  }, 'the end of the export');
}

async function endedInMysql(exportId: number) {
  return await eventually(async () => {
    const found = await findExport(stack.db, { accountId: license.accountId, exportId });
    return found?.status === 'completed' || found?.status === 'failed' ? found : null;
  }, 'the end of the export');
}

/** Makes an export old enough to be missed. */
async function age(id: number): Promise<void> {
  await stack.db.run('UPDATE exports SET created_at = NOW(6) - INTERVAL 2 MINUTE WHERE id = ?', [id]);
}

/** Files of exports that are left once those that nobody needs are deleted. */
async function filesAfterHousekeeping(): Promise<string[]> {
  await stack.temporal.workflow.execute('housekeeping', {
    taskQueue: 'shipments',
    workflowId: `housekeeping-${randomUUID()}`,
  });
  return readdirSync(join(stack.env.STORAGE_DIR ?? '', 'exports'));
}

/** The name of an export's file in the store. */
async function fileOf(id: number): Promise<string> {
  const [row] = await stack.db.select('SELECT file_uuid, format FROM exports WHERE id = ?', [id]);
  return `${row?.file_uuid}.${row?.format}`;
}

function handle() {
  return stack.temporal.workflow.getHandle(workflowIds.exportShipments(license));
}

async function licenseOf(provider: string): Promise<TestLicense> {
  const key = stack.account.licenseKeys[provider] ?? '';
  const [row] = await stack.db.select(
    `SELECT l.id, l.company_id, c.carrier_id FROM licenses l JOIN companies c ON c.id = l.company_id WHERE license_key = ?`,
    [key],
  );
  return {
    accountId: stack.account.id,
    licenseId: Number(row?.id),
    carrierId: Number(row?.carrier_id),
    companyId: Number(row?.company_id),
    key,
  };
}
