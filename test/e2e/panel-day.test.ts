import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import test from 'ava';
import { shipmentBody, startApiStack } from '../support/api-client.js';
import { eventually } from '../support/conditions.js';
import { type OpenedPage, startPageBrowser, violationsOf } from '../support/page-browser.js';
import { acceptByClicks, codeOf, follow, invite, PASSWORD } from '../support/panel.js';
import { patient } from '../support/patience.js';

const { stack, api } = await startApiStack({}, { authFailuresPerMinute: 1000 });
const browser = await startPageBrowser();
test.after.always(() => Promise.all([browser.close(), stack.close()]));

async function look({ page }: OpenedPage, name: string): Promise<void> {
  const folder = process.env.PANEL_PICTURES;
  if (folder !== undefined) await page.screenshot({ path: `${folder}/${name}.png`, fullPage: true });
}

test.serial(
  'a merchant signs up, ships an order, prints its label and cancels it, with clicks alone',
  async (t) => {
    t.timeout(patient(180_000));
    const { id } = stack.account;
    const { path, email } = await invite(stack, 'staff', id);
    const opened = await browser.open(`${api.url}${path}`, { language: 'he', width: 360 });
    const { page } = opened;
    await look(opened, '1-invitation');
    const secret = await acceptByClicks(page);
    await look(opened, '2-recovery');
    t.is((await page.$$('.codes li')).length, 10);

    await follow(page, 'main a.button');
    await look(opened, '3-shipments-empty');
    await follow(page, 'main a.button');
    await page.select('[name=license]', stack.account.licenseIds.run ?? '');
    await page.type('[name=contact_name]', 'דנה לוי');
    await page.type('[name=contact_phone]', '0501234567');
    await page.type('[name=street]', 'הרצל');
    await page.type('[name=number]', '7');
    await page.type('[name=city]', 'חיפה');
    await page.type('[name=order]', '1001');
    await look(opened, '4-new');
    await follow(page, 'button[value=show]');
    await look(opened, '5-story');
    const text = await page.$eval('main', (main) => main.textContent ?? '');
    t.regex(text, /דנה לוי/);
    t.deepEqual(await violationsOf(page), []);

    await follow(page, `a[href="/panel/a/${id}/shipments"]`);
    await look(opened, '6-shipments');
    t.deepEqual(await violationsOf(page), []);
    t.true(await page.evaluate('document.documentElement.scrollWidth <= innerWidth'));
    await page.type('#q', 'דנה');
    await page.waitForFunction('location.search.includes("q=")');
    await page.waitForSelector('#results a[href^="shipments/"]');

    await follow(page, '#results a[href^="shipments/"]');
    await page.click('details summary');
    await page.type('[name=reason]', 'טעות');
    await follow(page, 'button.danger');
    await look(opened, '7-cancelled');
    t.truthy(await page.$('.status.cancelled'));

    await follow(page, '.me form button');
    await page.type('[name=email]', email);
    await page.type('[name=password]', PASSWORD);
    await page.type('[name=code]', codeOf(secret, 1));
    await follow(page, 'main button');
    t.true(page.url().endsWith(`/panel/a/${id}/shipments`));
    t.deepEqual(opened.complaints, []);
  },
);

test.serial('an administrator sets a merchant up to its first parcel with clicks alone', async (t) => {
  t.timeout(patient(240_000));
  const { path } = await invite(stack, 'administrator');
  const opened = await browser.open(`${api.url}${path}`, { language: 'en', width: 1280, height: 900 });
  const { page } = opened;
  await acceptByClicks(page);
  await follow(page, 'main a.button');
  await look(opened, 'a1-overview');
  t.deepEqual(await violationsOf(page), []);

  await follow(page, 'a[href="/panel/accounts"]');
  await page.type('main [name=name]', 'Blue Shop');
  await page.type('main [name=email]', 'ops@blue.example');
  await follow(page, 'main form.sheet button');
  await look(opened, 'a2-settings');
  t.deepEqual(await violationsOf(page), []);
  await follow(page, '.bar a[href$="/credentials"]');
  await look(opened, 'a3-credentials');
  t.deepEqual(await violationsOf(page), []);
  await page.type('main [name=name]', 'Shop');
  await follow(page, 'main form.sheet button');
  const first = await shownOnce(opened);
  await look(opened, 'a3-secret');
  t.deepEqual(await violationsOf(page), []);
  await follow(page, 'main a.button');
  await follow(page, `main a[href$="${first['x-client-id']}"]`);
  await look(opened, 'a3-one');
  t.deepEqual(await violationsOf(page), []);
  await follow(page, 'form[action$="/rotate"] button');
  const second = await shownOnce(opened);
  t.deepEqual(
    [await statusOf(first), await statusOf(second)],
    [200, 200],
    'the old ones work beside the new',
  );
  await follow(page, 'main a.button');
  await look(opened, 'a3-rotated');
  t.is((await page.$$('main tbody tr')).length, 2);
  await follow(page, `main a[href$="${first['x-client-id']}"]`);
  await page.click('main .actions details summary');
  await follow(page, 'form[action$="/revoke"] button');
  t.deepEqual([await statusOf(first), await statusOf(second)], [401, 200]);

  await follow(page, '.bar a[href$="/licenses"]');
  await page.select('[name=carrier]', 'independent');
  await follow(page, 'form[action="licenses/new"] button');
  await look(opened, 'a4-license');
  await page.type('main form.sheet [name=name]', 'Own courier');
  await follow(page, 'main form.sheet button');
  t.truthy(await page.$('.notice'));
  t.deepEqual(await violationsOf(page), []);

  await follow(page, '.bar a[href$="/sites"]');
  await look(opened, 'a4-sites');
  t.deepEqual(await violationsOf(page), []);
  await page.select('[name=platform]', 'shopify');
  await page.type('[name=domain]', 'shop.blue.example');
  await follow(page, 'main form.sheet button');
  await look(opened, 'a4-site');
  t.deepEqual(await violationsOf(page), []);
  await follow(page, '.bar a[href^="/panel/a/"][href$="/users"]');
  await page.type('main [name=name]', 'Dana Levi');
  await page.type('main [name=email]', 'dana@blue.example');
  await follow(page, 'main form.sheet button');
  await page.type('[name=tokenName]', 'plugin');
  await follow(page, 'form[action$="/tokens"] button');
  t.regex(await page.$eval('.notice', (notice) => notice.textContent ?? ''), /\d+\|\w{40}/);
  await look(opened, 'a4-user');
  t.deepEqual(await violationsOf(page), []);

  await follow(page, '.bar a[href$="/shipments"]');
  await follow(page, 'main a.button');
  await page.type('[name=contact_name]', 'Dana Levi');
  await page.type('[name=contact_phone]', '0501234567');
  await page.type('[name=street]', 'Herzl');
  await page.type('[name=number]', '7');
  await page.type('[name=city]', 'Haifa');
  await page.type('[name=order]', '1');
  await follow(page, 'button[value=show]');
  t.truthy(await page.$('.status.created'));

  await follow(page, 'a[href="/panel/audit"]');
  await look(opened, 'a5-audit');
  const changes = await page.$eval('main', (main) => main.textContent ?? '');
  for (const action of ['accounts.create', 'credentials.rotate', 'licenses.create', 'tokens.issue']) {
    t.true(changes.includes(action), action);
  }
  t.false(changes.includes('sk_'));
  t.deepEqual(await violationsOf(page), []);
  const saved = await downloadedBy(opened, 'a[href^="/panel/audit.csv"]');
  t.regex(saved, /^id,at,.*\n(.*\n)*.*accounts\.create/);
  t.false(saved.includes('sk_'));
  t.deepEqual(opened.complaints, []);
});

/** The credentials that the page shows once. */
async function shownOnce({ page }: OpenedPage): Promise<Record<string, string>> {
  const [clientId = '', secret = ''] = await page.$$eval('.notice .code', (codes) =>
    codes.map((code) => code.textContent ?? ''),
  );
  return { 'x-client-id': clientId, 'x-client-secret': secret };
}

async function statusOf(headers: Record<string, string>): Promise<number> {
  return (await fetch(`${api.url}/api/v2/account`, { headers })).status;
}

/** The file that the browser saves when a link is clicked. */
async function downloadedBy({ page }: OpenedPage, selector: string): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'saved-'));
  try {
    const session = await page.createCDPSession();
    await session.send('Browser.setDownloadBehavior', { behavior: 'allow', downloadPath: folder });
    await page.click(selector);
    const name = await eventually(async () => {
      return (await readdir(folder)).find((one) => one.endsWith('.csv')) ?? false;
    }, 'the file to be saved');
    return await readFile(join(folder, name), 'utf8');
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

test.serial('an administrator gives a program credentials that only read, on a phone', async (t) => {
  t.timeout(patient(180_000));
  const { path } = await invite(stack, 'administrator');
  const opened = await browser.open(`${api.url}${path}`, { language: 'he', width: 360 });
  const { page } = opened;
  await acceptByClicks(page);
  await follow(page, 'main a.button');
  await follow(page, 'a[href="/panel/accounts"]');
  await follow(page, `main a[href="/panel/a/${stack.account.id}/shipments"]`);
  await follow(page, '.bar a[href$="/credentials"]');
  await look(opened, 'c1-credentials');
  t.deepEqual(await violationsOf(page), []);
  t.true(await page.evaluate('document.documentElement.scrollWidth <= innerWidth'));
  await page.type('main [name=name]', 'דוח חודשי');
  await page.click('[name=read_only]');
  await follow(page, 'main form.sheet button');
  await look(opened, 'c2-issued');
  t.true(await page.evaluate('document.documentElement.scrollWidth <= innerWidth'));
  const report = await shownOnce(opened);
  t.is(await statusOf(report), 200);
  const refused = await fetch(`${api.url}/api/v2/webhooks/1`, { method: 'DELETE', headers: report });
  t.is(refused.status, 403);
  await follow(page, 'main a.button');
  await follow(page, `main a[href$="${report['x-client-id']}"]`);
  await look(opened, 'c3-one');
  t.deepEqual(await violationsOf(page), []);
  t.true(await page.evaluate('document.documentElement.scrollWidth <= innerWidth'));
  t.deepEqual(opened.complaints, []);
});

test.serial('an operator looks a waiting parcel up at the carrier and adopts it', async (t) => {
  t.timeout(patient(180_000));
  const sandbox = stack.sandboxes.get('cargo');
  if (sandbox === undefined) throw new Error('cargo has no sandbox');
  await sandbox.fault({ operation: 'book', kind: 'drop_after' });
  const creating = api.create(shipmentBody(stack.account, 'cargo'));
  const [parcel] = await eventually(async () => {
    const ledger = await sandbox.ledger();
    return ledger.length > 0 && ledger;
  }, 'the carrier to book');
  const uuid = String(parcel?.reference);
  await eventually(async () => {
    const { data } = (await api.get(`/shipments/${uuid}`)).body;
    return data?.status.code === 'needs_attention';
  }, 'the shipment to wait for a person');
  const { path } = await invite(stack, 'operator');
  const opened = await browser.open(`${api.url}${path}`, { language: 'ar', width: 390 });
  const { page } = opened;
  await acceptByClicks(page);
  await follow(page, 'main a.button');
  await look(opened, 'o1-overview');
  await follow(page, '.bar a[href="/panel/carriers"]');
  await look(opened, 'o1-carriers');
  t.deepEqual(await violationsOf(page), []);
  t.true(await page.evaluate('document.documentElement.scrollWidth <= innerWidth'));
  await follow(page, 'a[href="/panel/attention?carrier=cargo"]');
  await look(opened, 'o2-attention');
  t.deepEqual(await violationsOf(page), []);
  t.true(await page.evaluate('document.documentElement.scrollWidth <= innerWidth'));

  await page.click('section.card details:last-of-type summary');
  await page.type(`#reason-${uuid}`, 'not wanted');
  await Promise.all([page.waitForNavigation({ waitUntil: 'networkidle0' }), page.keyboard.press('Enter')]);
  await look(opened, 'o2-question');
  t.truthy(await page.$('button.danger[name=answer]'));
  t.is((await sandbox.ledger()).length, 1);
  await page.goBack({ waitUntil: 'networkidle0' });
  await page.click('section.card details summary');
  await page.type(`#code-${uuid}`, String(parcel?.code));
  await follow(page, `section.card details[open] button`);
  await follow(page, `[name=answer]`);
  await look(opened, 'o3-adopted');
  await follow(page, 'main a.button');

  t.truthy(await page.$('.nothing'));
  t.true((await creating).status < 300);
  const { data } = (await api.get(`/shipments/${uuid}`)).body;
  t.is(data.tracking_code, parcel?.code);
  t.deepEqual(opened.complaints, []);
});
