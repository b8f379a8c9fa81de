import { randomUUID } from 'node:crypto';
import test from 'ava';
import type { HTTPRequest, Page } from 'puppeteer';
import { type Database, openDatabase } from '../../../src/db/database.js';
import { beginExport, completeExport, insertExport } from '../../../src/db/queries/exports/exports.js';
import type { Role } from '../../../src/domain/panel-roles.js';
import { eventually } from '../../support/conditions.js';
import { insertTestShipment } from '../../support/factories.js';
import { type Gateway, startGateway } from '../../support/gateway.js';
import { type HttpStack, startHttp } from '../../support/http.js';
import { type PageBrowser, startPageBrowser } from '../../support/page-browser.js';
import { askPanel, cookieOf, follow } from '../../support/panel.js';
import { retype, textOf } from '../../support/panel-pages.js';
import { patient } from '../../support/patience.js';

let http: HttpStack;
let gateway: Gateway;
let throughGateway: Database;
let browser: PageBrowser;

test.before(async () => {
  gateway = await startGateway(process.env.DATABASE_URL ?? '');
  http = await startHttp({
    config: { baseUrl: 'http://127.0.0.1' },
    app: ({ config }) => {
      const url = new URL(config.databaseUrl);
      url.host = new URL(gateway.url).host;
      throughGateway = openDatabase({ url: url.href, poolSize: 10 });
      return { db: throughGateway };
    },
  });
  browser = await startPageBrowser();
});
// A test that fails leaves others their database.
test.afterEach.always(() => gateway?.mend());
test.after.always(async () => {
  await browser?.close();
  await throughGateway?.close();
  await http?.close();
  await gateway?.close();
});

/** An account with a license and a shipment, whose booking the carrier has refused. */
async function merchant() {
  const { id: accountId } = await http.account();
  const license = await http.license(accountId);
  const ids = { accountId, licenseId: license.id, carrierId: license.carrierId };
  const ship = async () => {
    const { uuid } = await insertTestShipment(http.db, ids, { state: 'refused', tracking_code: null });
    await http.db.run(
      `INSERT INTO carrier_attempts (shipment_uuid, operation, number, state, answered_at)
       VALUES (?, 'book', 1, 'rejected', NOW(6))`,
      [uuid],
    );
  };
  return { accountId, license, ship };
}

/** A page of a user, in a browser that knows whether it was loaded again. */
async function openAs(
  role: Role,
  path: string,
  { account, language = 'en' }: { account?: number; language?: string } = {},
) {
  const opened = await browser.open(`${http.url}/panel/sign-in`, { width: 1280, language });
  const { page } = opened;
  const [name = '', value = ''] = (await cookieOf(http, role, account)).split('; ')[0]?.split('=') ?? [];
  await page.setCookie({ name, value, url: http.url });
  await http.db.run('UPDATE panel_users SET language = ? WHERE account_id = ?', [language, account ?? null]);
  // Streams keep the network busy.
  await page.goto(`${http.url}/panel${path}`, { waitUntil: 'load' });
  await page.evaluate('window.isFirst = true');
  return page;
}

const askAgain = (page: Page, selector: string) =>
  page.$eval(selector, (element) => element.dispatchEvent(new Event('again')));

const lineOf = async (page: Page) => (await textOf(page, '#unanswered')).trim();

const isFocused = (page: Page, selector: string) =>
  page.evaluate(`document.activeElement === document.querySelector(${JSON.stringify(selector)})`);

async function untilLine(page: Page, pattern: RegExp): Promise<void> {
  await eventually(async () => pattern.test(await lineOf(page)), `a line like ${pattern}`);
}

/** An account whose export is being written. */
async function exporting() {
  const { accountId, license } = await merchant();
  const wanted = { accountId, licenseId: license.id, format: 'csv', filter: {} } as const;
  const exportId = await insertExport(http.db, wanted);
  await beginExport(http.db, { accountId, exportId });
  return { accountId, exportId };
}

for (const path of ['/overview', '/carriers']) {
  test.serial(
    `GET /panel${path}: the page keeps all but a line while MySQL is away, and goes on by itself`,
    async (t) => {
      t.timeout(patient(120_000));
      const { ship } = await merchant();
      await ship();
      const page = await openAs('operator', path);
      const part = '#now';
      const kept = path === '/carriers' ? '#now details summary' : '#now a';
      if (path === '/carriers') await page.click(kept);
      await page.focus(kept);
      const before = await textOf(page, part);

      gateway.cut();
      await askAgain(page, part);
      await untilLine(page, /^Not answered since \d\d:\d\d, trying again\.$/);

      t.is(await textOf(page, part), before);
      t.is((await page.$$('h1')).length, 1);
      t.is(await page.$eval('#unanswered', (line) => line.getAttribute('role')), 'status');
      await http.db.run('UPDATE carriers SET name = ? WHERE provider = ?', ['Run', 'run']);
      await ship();
      gateway.mend();
      await untilLine(page, /^$/);
      await askAgain(page, part);
      if (path === '/carriers') {
        await eventually(async () => (await textOf(page, part)) !== before, 'new figures');
        t.true(await page.$eval('#now details', (details) => (details as { open: boolean }).open));
      }
      t.true(await isFocused(page, kept));
      t.true(await page.evaluate('window.isFirst'));
      await page.close();
    },
  );
}

test.serial(
  'GET /panel/a/{account}/exports: a followed part goes on by itself after an outage of MySQL',
  async (t) => {
    t.timeout(patient(120_000));
    const { accountId, exportId } = await exporting();
    const page = await openAs('owner', `/a/${accountId}/exports`, { account: accountId, language: 'he' });
    await eventually(async () => (await textOf(page, '#exports')) !== '', 'the list');
    await page.type('[name=created_from]', '01012026');
    const typed = await page.$eval('[name=created_from]', (field) => (field as { value: string }).value);
    const before = await textOf(page, '#exports');

    gateway.cut();
    await untilLine(page, /^אין תשובה מאז \d+:\d\d/);

    t.is(await textOf(page, '#exports'), before);
    await completeExport(http.db, { accountId, exportId, rowCount: 4711, filename: 'shipments.csv' });
    gateway.mend();
    await eventually(async () => (await textOf(page, '#exports')).includes('4711'), 'the finished export');
    await untilLine(page, /^$/);
    t.is(await page.$eval('[name=created_from]', (field) => (field as { value: string }).value), typed);
    t.true(await isFocused(page, '[name=created_from]'));
    t.true(await page.evaluate('window.isFirst'));
    await page.close();
  },
);

test.serial(
  'GET /panel/a/{account}/exports: a stream that MySQL refused at first begins once it is back',
  async (t) => {
    t.timeout(patient(120_000));
    const { accountId, exportId } = await exporting();
    const page = await openAs('owner', `/a/${accountId}/shipments`, { account: accountId });
    const cutStream = (request: HTTPRequest) => {
      if (request.url().includes('/panel/live/')) gateway.cut();
    };
    page.on('request', cutStream);
    await page.goto(`${http.url}/panel/a/${accountId}/exports`, { waitUntil: 'load' });
    await untilLine(page, /^Not answered/);

    page.off('request', cutStream);
    await completeExport(http.db, { accountId, exportId, rowCount: 4712, filename: 'shipments.csv' });
    gateway.mend();

    await eventually(async () => (await textOf(page, '#exports')).includes('4712'), 'the finished export');
    t.is(await lineOf(page), '');
    await page.close();
  },
);

test.serial(
  'GET /panel/a/{account}/shipments: a search keeps its form while MySQL is away, and is made up for',
  async (t) => {
    t.timeout(patient(120_000));
    const { accountId, license } = await merchant();
    const orderId = randomUUID();
    await http.shipment(accountId, license, { orderId });
    const page = await openAs('staff', `/a/${accountId}/shipments`, { account: accountId });
    const before = await textOf(page, '#results');

    gateway.cut();
    await page.type('#q', orderId.slice(0, 12));
    await untilLine(page, /^Not answered/);

    t.is(await textOf(page, '#results'), before);
    await page.type('#q', orderId.slice(12));
    gateway.mend();
    await eventually(
      async () => (await textOf(page, '#count')).includes('Found: 1'),
      'what was searched for',
    );
    await untilLine(page, /^$/);
    t.is(await page.$eval('#q', (field) => (field as { value: string }).value), orderId);
    t.true(await isFocused(page, '#q'));
    t.is(await page.$eval('#count', (count) => count.getAttribute('role')), 'status');
    await page.close();
  },
);

test.serial('POST /panel/sign-in: what was wrong has the focus, without script too', async (t) => {
  const { page } = await browser.open(`${http.url}/panel/sign-in`, { language: 'en' });
  await page.setJavaScriptEnabled(false);
  await page.reload();
  for (const name of ['email', 'password', 'code']) await page.type(`[name=${name}]`, 'noa@panel.example');

  await follow(page, 'main button');

  t.true(await isFocused(page, '[role=alert]'));
  await page.close();
});

test.serial(
  'POST /panel/a/{account}/notifications/templates/new: what was typed comes back when MySQL is away, and is sent once',
  async (t) => {
    t.timeout(patient(120_000));
    const { accountId } = await merchant();
    const path = `/a/${accountId}/notifications/templates/new`;
    const page = await openAs('owner', path, { account: accountId });
    await retype(page, '[name=subject]', 'Your "parcel" & <more>');

    gateway.cut();
    await follow(page, 'main form:has([name=subject]) button:not([formaction])');

    t.regex(await textOf(page), /not available[\s\S]*kept here/);
    t.is(await page.$('footer'), null, 'a link to another language would lose the form');
    await follow(page, 'main form button');
    t.regex(await textOf(page), /not available/, 'sent too early it comes back again');
    gateway.mend();
    await eventually(async () => {
      await follow(page, 'main form button');
      return page.url().includes('notice=');
    }, 'the template to be saved');
    const rows = await http.db.select(
      'SELECT subject FROM notification_templates t JOIN licenses l ON l.id = t.license_id WHERE l.account_id = ?',
      [accountId],
    );
    t.deepEqual(rows, [{ subject: 'Your "parcel" & <more>' }]);
    await page.close();
  },
);

test.serial('POST /panel/sign-in: a password does not come back in a page when MySQL is away', async (t) => {
  t.timeout(patient(60_000));
  gateway.cut();

  const form = { email: 'noa@panel.example', password: 'a long enough password', code: '123456' };
  const { status, text } = await askPanel(`${http.url}/panel/sign-in`, { form });

  t.is(status, 503);
  t.notRegex(text, /long enough|<form/);
});
