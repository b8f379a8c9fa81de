import { randomUUID } from 'node:crypto';
import test from 'ava';
import { ApiClient, shipmentBody } from '../support/api-client.js';
import { eventually } from '../support/conditions.js';
import { creationBody } from '../support/http.js';
import { type MailServer, startMailServer } from '../support/mail-server.js';
import { type OpenedPage, type PageBrowser, startPageBrowser } from '../support/page-browser.js';
import { acceptByClicks, codeOf, follow, invite, PASSWORD } from '../support/panel.js';
import { complaintsOf, look, nav, reloadedUntil, retype, textOf } from '../support/panel-pages.js';
import { patient } from '../support/patience.js';
import { type Receiver, startReceiver } from '../support/receiver.js';
import { startStack, type TestStack } from '../support/stack.js';
import { WEBHOOK_ENV } from '../support/webhooks.js';

let stack: TestStack;
let url: string;
let browser: PageBrowser;
let receiver: Receiver;
let mail: MailServer;

test.before(async () => {
  mail = await startMailServer();
  stack = await startStack({ env: { ...WEBHOOK_ENV, SMTP_URL: mail.url } });
  await stack.startWorkers();
  url = await stack.startApi(undefined, { authFailuresPerMinute: 1000 });
  browser = await startPageBrowser();
  receiver = await startReceiver();
});
test.after.always(async () => {
  await browser?.close();
  await receiver?.close();
  await stack?.close();
  await mail?.close();
});

/** The panel as the owner of the stack's account sees it first. */
async function signedUp(options: {
  language: string;
  width: number;
  dark?: boolean;
}): Promise<OpenedPage & { email: string; secret: string }> {
  const { path, email } = await invite(stack, 'owner', stack.account.id);
  const opened = await browser.open(`${url}${path}`, options);
  const { page } = opened;
  const secret = await acceptByClicks(page);
  await follow(page, 'main a.button');
  return { ...opened, email, secret };
}

const item = (contact: object) =>
  creationBody({ order: { id: randomUUID().slice(0, 8) }, ship_data: contact });

test.serial('an owner subscribes, sees a failing receiver and sends what it missed again', async (t) => {
  t.timeout(patient(240_000));
  const opened = await signedUp({ language: 'en', width: 1200 });
  const { page } = opened;
  await follow(page, nav('webhooks'));
  await look(t, opened, 'webhooks-1-empty');
  await follow(page, 'main a.button');
  await page.select('[name=license]', stack.account.licenseIds.independent ?? '');
  await page.type('[name=url]', 'http://10.0.0.1/hook');
  await page.click('[name=events][value="shipment.created"]');
  await follow(page, 'main form button');
  await look(t, opened, 'webhooks-2-refused');
  t.truthy(await page.$('#url-error'));
  t.truthy(await page.$('[name=events][value="shipment.created"]:checked'));

  await retype(page, '[name=url]', `${receiver.url}/hook`);
  await follow(page, 'main form button');
  await look(t, opened, 'webhooks-3-secret');
  const secret = await textOf(page, '.secret');
  t.regex(secret, /^whsec_/);
  await follow(page, 'main a.button');
  t.false((await page.content()).includes(secret));

  receiver.behave({ kind: 'answer', status: 500, body: 'out of order' });
  await follow(page, 'form[action*="/ping"] button');
  await look(t, opened, 'webhooks-4-ping');
  t.regex(await textOf(page), /out of order/);
  receiver.behave({ kind: 'answer', status: 200, body: '<!DOCTYPE html><title>Shop</title>' });
  await follow(page, 'main p a');
  await follow(page, 'form[action*="/ping"] button');
  await look(t, opened, 'webhooks-5-page');
  t.regex(await textOf(page), /A web page was the answer/);
  receiver.behave({ kind: 'answer', status: 500, body: 'out of order' });

  await follow(page, nav('shipments'));
  await follow(page, 'main a.button');
  await page.select('[name=license]', stack.account.licenseIds.independent ?? '');
  await page.type('[name=contact_name]', 'Dana Levi');
  await page.type('[name=contact_phone]', '0501234567');
  await page.type('[name=street]', 'Herzl');
  await page.type('[name=number]', '7');
  await page.type('[name=city]', 'Haifa');
  await page.type('[name=order]', randomUUID());
  await follow(page, 'button[value=show]');

  await follow(page, nav('webhooks'));
  await follow(page, 'main table a');
  await page.select('[name=status]', 'failed');
  await follow(page, '#deliveries form[method=get] button');
  const failed = '#deliveries tbody tr:nth-child(2)';
  await reloadedUntil(page, failed);
  await look(t, opened, 'webhooks-5-failed');
  t.regex(await textOf(page, '#deliveries tbody'), /HTTP 500/);

  receiver.behave({ kind: 'answer', status: 200 });
  await follow(page, '#deliveries tbody tr:nth-child(1) button');
  await page.waitForSelector('#outcome .status.succeeded');
  await look(t, opened, 'webhooks-6-delivered');

  await follow(page, 'main p a');
  await follow(page, 'form[action*="/replay"] button');
  await page.select('[name=status]', 'succeeded');
  await follow(page, '#deliveries form[method=get] button');
  await reloadedUntil(page, failed);

  const change = 'main > details > summary';
  await page.click(change);
  await look(t, opened, 'webhooks-7-change');
  await follow(page, 'form[action*="/rotate"] button');
  t.not(await textOf(page, '.secret'), secret);
  await follow(page, 'main a.button');
  await page.click(change);
  await page.click('[name=is_active]');
  await follow(page, 'form[action*="/webhooks/"] button:not([class])');
  t.truthy(await page.$('main p .status.failed'));
  await page.click('.actions details summary');
  await follow(page, 'button.danger');
  t.truthy(await page.$('.nothing'));
  t.deepEqual(complaintsOf(opened), []);
});

test.serial('an owner loads orders at once on a phone, mends the refused one and exports them', async (t) => {
  t.timeout(patient(240_000));
  const opened = await signedUp({ language: 'he', width: 360 });
  const { page } = opened;
  await stack.sandbox.fault({ operation: 'book', kind: 'error_in_200', value: 1, times: 1 });
  await follow(page, nav('batches'));
  await follow(page, 'main a.button');
  await page.click('main > details > summary');
  await page.select('main > details [name=license]', stack.account.licenseIds.run ?? '');
  await retype(page, '[name=items]', '[{]');
  await follow(page, 'main > details form button');
  await look(t, opened, 'batches-1-refused');
  t.is(await page.$eval('[name=items]', (field) => (field as { value: string }).value), '[{]');

  await retype(page, '[name=items]', JSON.stringify([item({}), item({}), item({ contact_phone: '' })]));
  await follow(page, 'main > details form button');
  await page.waitForSelector('#progress p .status.completed');
  await look(t, opened, 'batches-2-done');
  t.truthy(await page.$('td .status.failed'));
  t.regex(await textOf(page, 'tbody'), /Phone|טלפון|هاتف/i);
  const failures = (await page.$$('tbody tr')).length;
  await stack.sandbox.fault({ operation: 'book', kind: 'hold' });
  // A page that follows a stream has no idle network.
  await Promise.all([page.waitForNavigation(), page.click('form[action$="/retry"] button')]);
  await page.waitForSelector('#progress p .status.processing');
  await eventually(() => opened.requests.some((to) => to.includes('/panel/live/')), 'the page to follow');
  await look(t, opened, 'batches-2-live');
  const asked = opened.requests.length;
  await stack.sandbox.fault({ operation: 'book', kind: 'none' });
  await page.waitForSelector('#progress p .status.completed');
  t.is(opened.requests.length, asked, 'the stream alone brings what is new');
  t.is((await page.$$('tbody tr')).length, 1, `after ${failures}`);
  await follow(page, 'nav.row a[href*="status=created"]');
  await look(t, opened, 'batches-3-created');
  await follow(page, 'tbody tr:nth-child(1) a');
  t.regex(page.url(), /\/shipments\/[0-9a-f-]{36}$/);
  await follow(page, nav('batches'));
  await look(t, opened, 'batches-4-list');

  await follow(page, nav('exports'));
  await follow(page, 'main [name=day]');
  await page.waitForSelector('#exports tbody tr:nth-child(1) .status.completed');
  t.regex(
    await textOf(page, 'tbody tr:nth-child(1)'),
    /shipments-all-|All licenses|כל הרישיונות|كل التراخيص/,
  );
  const options = '[name=license] option:not([value=""])';
  const licenses = await page.$$eval(options, (all) => all.map((one) => one.getAttribute('value') ?? ''));
  await page.select('[name=license]', licenses[0] ?? '');
  await page.select('[name=status]', 'created');
  await follow(page, 'main form.sheet button');
  await page.waitForSelector('#exports tbody tr:nth-child(2)');
  await page.waitForSelector('#exports tbody tr:nth-child(1) .status.completed');
  await look(t, opened, 'exports');
  t.is(mail.mails.at(-1)?.attachments.length, 1);
  t.deepEqual(complaintsOf(opened), []);
});

test.serial('an owner words a mail and sees it in Hebrew before it is sent', async (t) => {
  t.timeout(patient(180_000));
  const opened = await signedUp({ language: 'he', width: 360, dark: true });
  const { page } = opened;
  await follow(page, nav('notifications'));
  await page.click('[name=enabled]');
  await page.type('[name=from_name]', 'החנות של דנה');
  await follow(page, 'form[action*="/settings"] button');
  t.truthy(await page.$('[name=enabled]:checked'));
  await look(t, opened, 'mails-1-settings');

  await follow(page, 'a[href*="preview"]');
  await look(t, opened, 'mails-2-languages');
  t.is((await page.$$('.mail')).length, 3);
  t.is(await page.$eval('.mail[lang=he]', (mail) => mail.getAttribute('dir')), 'rtl');
  await page.goBack({ waitUntil: 'networkidle0' });

  await follow(page, 'a[href*="templates/new"][href*="locale=he"]');
  await retype(page, '[name=subject]', 'שלום {{ nobody }}');
  await follow(page, '[formaction]');
  t.truthy(await page.$('#subject-error'));
  await retype(page, '[name=subject]', 'שלום {{ recipient.name }}');
  await follow(page, '[formaction]');
  await look(t, opened, 'mails-3-preview');
  t.regex(await textOf(page, '#preview .subject'), /^שלום .+/);
  t.false((await textOf(page, '#preview .subject')).includes('{{'));
  await follow(page, 'main form.sheet button:not(.second)');
  t.truthy(await page.$('a[href*="/templates/"]:not([href*="/new"])'));

  await follow(page, 'a[href*="/templates/"]:not([href*="/new"])');
  await look(t, opened, 'mails-4-own');
  await page.click('main > details summary');
  await follow(page, 'button.danger');
  t.is(await page.$('a[href*="/templates/"]:not([href*="/new"])'), null);
  await follow(page, 'a[href*="/log"]');
  await look(t, opened, 'mails-5-log');
  t.deepEqual(complaintsOf(opened), []);
});

test.serial('an owner chooses columns, exports a filter and cancels many parcels on a phone', async (t) => {
  t.timeout(patient(180_000));
  const api = new ApiClient(url, stack.account);
  const made = await Promise.all(
    ['run', 'run', 'run'].map((name) => api.create(shipmentBody(stack.account, name))),
  );
  t.deepEqual(
    made.map(({ status }) => status),
    [201, 201, 201],
  );
  const uuids = made.map(({ body }) => String(body.data.uuid));
  const opened = await signedUp({ language: 'ar', width: 360 });
  const { page } = opened;
  await follow(page, nav('shipments'));
  const columns = '#results details:nth-of-type(1)';
  await page.click(`${columns} summary`);
  await page.click('[name=column][value=city]');
  await page.click('[name=column][value=phone]');
  await look(t, opened, 'shipments-1-columns');
  await follow(page, `${columns} button`);
  await look(t, opened, 'shipments-2-chosen');
  t.regex(await textOf(page, 'thead'), /الهاتف/);

  await page.click('[data-all]');
  const boxes = (await page.$$('[name=uuid]')).length;
  t.is((await page.$$('[name=uuid]:checked')).length, boxes);
  await page.click('[data-all]');
  t.is((await page.$$('[name=uuid]:checked')).length, 0);
  for (const uuid of uuids) await page.click(`[name=uuid][value="${uuid}"]`);
  await stack.sandbox.fault({ operation: 'cancel', kind: 'error_in_200', value: 0, times: 1 });
  await follow(page, 'button[formaction$="/shipments/cancel"]');
  await look(t, opened, 'shipments-3-question');
  t.is((await page.$$('tbody tr')).length, 3);
  await page.type('[name=reason]', 'نفدت الكمية');
  await follow(page, 'button.danger');
  await look(t, opened, 'shipments-4-cancelled');
  t.is((await page.$$('tbody .status.cancelled')).length, 2);
  t.is((await page.$$('tbody .status.failed')).length, 1);

  await follow(page, 'main p a.button');
  await page.click('#results details:nth-of-type(2) summary');
  await look(t, opened, 'shipments-5-export');
  await follow(page, 'form[action$="/exports"] button');
  t.regex(page.url(), /\/exports(\?|$)/);
  await page.waitForSelector('#exports tbody tr:nth-child(1) .status.completed');
  await look(t, opened, 'shipments-6-exported');
  t.deepEqual(complaintsOf(opened), []);
});

test.serial('an owner changes password, recovery codes and authenticator on a phone', async (t) => {
  t.timeout(patient(180_000));
  const opened = await signedUp({ language: 'he', width: 360, dark: true });
  const { page } = opened;
  const submit = (form: string) => follow(page, `form[action$="/access/${form}"] button`);
  await follow(page, '.bar a[href="/panel/profile"]');
  await look(t, opened, 'access-1-profile');
  await follow(page, 'main a.button');
  await look(t, opened, 'access-2');
  await page.type('[name=current]', 'a wrong password');
  await page.type('[name=password]', 'quite another password');
  await submit('password');
  await look(t, opened, 'access-3-refused');
  t.truthy(await page.$('#current-error'));
  await page.type('[name=current]', PASSWORD);
  await page.type('[name=password]', 'quite another password');
  await submit('password');
  await look(t, opened, 'access-4-changed');
  t.truthy(await page.$('.notice'));

  await page.type('[name=present]', codeOf(opened.secret, 1));
  await submit('recovery-codes');
  await look(t, opened, 'access-5-codes');
  const [code = ''] = await page.$$eval('.codes li', (items) =>
    items.map(({ textContent }) => textContent ?? ''),
  );
  await follow(page, 'main a.button');
  await follow(page, 'main a.button');
  const secret = await page.$eval('[name=secret]', (input) => (input as { value: string }).value);
  await page.type('[name=code]', codeOf(secret));
  await page.type('[name=current]', code);
  await look(t, opened, 'access-6-app');
  await submit('authenticator');
  t.truthy(await page.$('.notice'));

  await follow(page, '.me form button');
  await page.type('[name=email]', opened.email);
  await page.type('[name=password]', 'quite another password');
  await page.type('[name=code]', codeOf(secret, 1));
  await follow(page, 'main button');
  t.true(page.url().endsWith('/shipments'));
  t.deepEqual(complaintsOf(opened), []);
});
