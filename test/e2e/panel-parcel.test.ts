import test from 'ava';
import type { CarrierAdapter } from '../../src/carriers/contract.js';
import { ApiClient, shipmentBody } from '../support/api-client.js';
import { carrierDouble } from '../support/carrier-double.js';
import { eventually } from '../support/conditions.js';
import { insertTestAccount, insertTestLicense } from '../support/factories.js';
import { type PageBrowser, startPageBrowser } from '../support/page-browser.js';
import { askPanel, cookieOf, follow } from '../support/panel.js';
import { look, textOf } from '../support/panel-pages.js';
import { patient } from '../support/patience.js';
import { startStack, type TestStack } from '../support/stack.js';

/** A carrier that prints labels, but not of its parcels. */
const unprinted = carrierDouble('unprinted');
const withoutLabels: CarrierAdapter = {
  ...unprinted.adapter,
  label: async () => ({ kind: 'rejected', code: 'none', text: 'The carrier has no label of this task.' }),
};
let stack: TestStack;
let url: string;
let api: ApiClient;
let browser: PageBrowser;
let cookie: string;

test.before(async () => {
  stack = await startStack({ doubles: [withoutLabels] });
  await stack.db.run("UPDATE accounts SET label_method = 'carrier' WHERE id = ?", [stack.account.id]);
  await stack.startWorkers();
  url = await stack.startApi(undefined, { createWaitMs: 20_000 });
  api = new ApiClient(url, stack.account);
  browser = await startPageBrowser();
  cookie = await cookieOf(stack, 'staff', stack.account.id);
});
test.after.always(async () => {
  await browser?.close();
  await stack?.close();
});

const at = (path: string) => `${url}/panel/a/${stack.account.id}${path}`;
const ask = (path: string, form?: Record<string, string> | [string, string][]) =>
  askPanel(at(path), { ...(form === undefined ? {} : { form }), headers: { cookie } });

/** The page of a new shipment, opened by somebody who is signed in. */
async function newShipment(language: 'en' | 'he', width: number) {
  const opened = await browser.open(`${url}/panel/sign-in?lang=${language}`, { language, width });
  const [pair = ''] = cookie.split('; ');
  const [name = '', value = ''] = pair.split('=');
  await opened.page.setCookie({ name, value, url });
  await opened.page.goto(at('/shipments/new'), { waitUntil: 'networkidle0' });
  return opened;
}

test.serial(
  'POST /shipments/new: a label that cannot be printed leads to the created shipment',
  async (t) => {
    const { status, text } = await ask('/shipments/new', [
      ['license', stack.account.licenseIds.unprinted ?? ''],
      ['contact_name', 'Dana'],
      ['contact_phone', '0501234567'],
      ['street', 'Herzl'],
      ['number', '7'],
      ['city', 'Haifa'],
      ['order', 'unprinted-1'],
      ['type', '1'],
      ['then', 'print'],
    ]);

    t.is(status, 200, text);
    t.regex(text, /The shipment is created, but its label could not be printed/);
    t.regex(text, /The carrier has no label of this task/);
    t.regex(text, /Order unprinted-1/);
    t.notRegex(text, /name="contact_name"/);
    t.is(unprinted.told.length, 1);
  },
);

test.serial('Enter in a field of a new shipment creates it', async (t) => {
  t.timeout(patient(120_000));
  const opened = await newShipment('he', 360);
  const { page } = opened;
  await page.select('[name=license]', stack.account.licenseIds.run ?? '');
  await page.waitForSelector('#points button');
  await page.type('[name=contact_name]', 'Dana');
  await page.type('[name=contact_phone]', '0501234567');
  await page.type('[name=street]', 'Herzl');
  await page.type('[name=number]', '7');
  await page.type('[name=city]', 'Haifa');
  await look(t, opened, 'p1-new');
  await page.type('[name=order]', 'scanned-1');

  await Promise.all([page.waitForNavigation({ waitUntil: 'networkidle0' }), page.keyboard.press('Enter')]);

  t.regex(await textOf(page), /scanned-1/);
  await look(t, opened, 'p2-created');
  t.is((await api.get('/shipments?filter[order_id]=scanned-1')).body.data.length, 1);
});

test.serial(
  'the search for pickup points stays where a city has none, and is missing without points',
  async (t) => {
    t.timeout(patient(120_000));
    const { page } = await newShipment('en', 1280);
    await page.select('[name=license]', stack.account.licenseIds.run ?? '');
    await page.waitForSelector('#points button');
    await page.type('[name=city]', 'Atlantis');
    await page.locator('#points button').click();
    await page.waitForSelector('#points .nothing');
    const said = await textOf(page, '#points');
    const stays = (await page.$('#points button')) !== null;
    await page.select('[name=license]', stack.account.licenseIds.unprinted ?? '');
    await page.waitForFunction('document.querySelector("#points button") === null');
    const { text } = await ask(`/shipments/points?license=${stack.account.licenseIds.run}&city=Atlantis`);

    t.regex(said, /No pickup points in Atlantis\./);
    t.true(stays);
    t.regex(text, /<form [^>]*shipments\/new"[\s\S]*No pickup points in Atlantis\.[\s\S]*<\/form>/);
  },
);

test.serial('a refused creation is listed with its words, found, and created again corrected', async (t) => {
  t.timeout(patient(120_000));
  unprinted.next.push({ kind: 'rejected', code: '7', text: 'There is no such street.' });
  const body = shipmentBody(stack.account, 'unprinted');
  const refused = await api.create(body);
  const order: string = body.order.id;
  await eventually(async () => (await ask('/refused')).text.includes(order), 'the refused order');

  const list = (await ask('/refused')).text;
  const found = (await ask(`/shipments?q=${order}`)).text;
  const [link = ''] = /shipments\/new\?from=[0-9a-f-]{36}/.exec(list) ?? [];
  const { text } = await ask(`/${link}`);
  const every = await askPanel(`${url}/panel/refused`, {
    headers: { cookie: await cookieOf(stack, 'operator') },
  });

  t.is(refused.status, 422);
  t.regex(list, /There is no such street\./);
  t.regex(found, /refused\?q=/);
  t.regex(text, new RegExp(`name="order"[^>]*value="${order}"`));
  t.true(text.includes(`value="${body.ship_data.contact_name}"`), text);
  t.regex(every.text, /There is no such street\./);
  t.regex(every.text, /Test merchant/);
});

test.serial('a failed order of a batch is created again, corrected', async (t) => {
  t.timeout(patient(120_000));
  unprinted.next.push({ kind: 'rejected', code: '7', text: 'There is no such street.' });
  const { license_key, ...item } = shipmentBody(stack.account, 'unprinted', {
    ship_data: { note: 'Ring twice' },
  });
  const { body } = await api.post('/batches', { license_key, shipments: [item] });
  const page = await eventually(async () => {
    const { text } = await ask(`/batches/${body.data.id}`);
    return /shipments\/new\?batch=/.test(text) && text;
  }, 'the failed item');

  const [link = ''] = /shipments\/new\?batch=[0-9a-f-]{36}&amp;item=\d+/.exec(page) ?? [];
  const { text } = await ask(`/${link.replace('&amp;', '&')}`);

  t.regex(text, /Ring twice/);
  t.regex(text, new RegExp(`name="order"[^>]*value="${item.order.id}"`));
});

test.serial(
  "a refused creation of another account is missing, in the list and as a new form's data",
  async (t) => {
    const theirs = await insertTestLicense(stack.db, await insertTestAccount(stack.db));
    await stack.db.run('UPDATE shipments SET account_id = ?, license_id = ? WHERE state = ?', [
      theirs.accountId,
      theirs.licenseId,
      'refused',
    ]);
    const [row] = await stack.db.select(`SELECT uuid FROM shipments WHERE state = 'refused' LIMIT 1`);

    t.notRegex((await ask('/refused')).text, /There is no such street/);
    t.is((await ask(`/shipments/new?from=${row?.uuid}`)).status, 404);
  },
);

test.serial("POST /shipments/:uuid/status: the office says where its own courier's parcel is", async (t) => {
  const body = shipmentBody(stack.account, 'independent', {
    order: {
      id: 'own-1',
      number: 'own-1',
      items: [{ name: 'Lamp', quantity: 2, sku: 'L-1', total: '90' }],
      total: '90',
    },
  });
  const { uuid } = (await api.create(body)).body.data;
  const before = (await ask(`/shipments/${uuid}`)).text;

  const sent = await ask(`/shipments/${uuid}/status`, { code: 'delivered', at: '', description: 'To Dana' });

  const after = (await ask(`/shipments/${uuid}`)).text;
  const [back = ''] = /new\?back=[0-9a-f-]{36}/.exec(after) ?? [];
  const form = (await ask(`/shipments/${back}`)).text;
  t.notRegex(before, /\/refresh"/);
  t.regex(before, /Lamp/);
  t.regex(before, /L-1/);
  t.true(sent.to?.endsWith(`${uuid}?notice=saved`), sent.text);
  t.is((await api.get(`/shipments/${uuid}`)).body.data.status.code, 'delivered');
  t.regex(form, /<option value="2" selected>/);
  t.regex(form, /name="order"[^>]*value="own-1"/);
});

test.serial('POST /shipments/:uuid/status: refused with the reason where the carrier reports', async (t) => {
  const { uuid } = (await api.create(shipmentBody(stack.account, 'run'))).body.data;

  const { status, text } = await ask(`/shipments/${uuid}/status`, { code: 'delivered' });

  t.is(status, 422);
  t.regex(text, /reports its statuses by itself/);
  t.notRegex(text, /datetime-local/);
});

test.serial('the whole parcel fits a phone', async (t) => {
  t.timeout(patient(120_000));
  const [row] = await stack.db.select(
    `SELECT s.uuid FROM shipments s JOIN orders o ON o.id = s.order_id WHERE o.order_id = 'own-1'`,
  );
  const opened = await newShipment('he', 360);
  const { page } = opened;

  await page.goto(at(`/shipments/${row?.uuid}`), { waitUntil: 'networkidle0' });
  await look(t, opened, 'p3-parcel');
  await follow(page, 'a[href*="back="]');
  await look(t, opened, 'p4-return');
  await page.goto(at('/refused'), { waitUntil: 'networkidle0' });
  await look(t, opened, 'p5-refused');

  t.pass();
});

test.serial('GET /shipments/new: begins with the license that this user took last', async (t) => {
  const users = [cookie, await cookieOf(stack, 'staff', stack.account.id)] as const;
  const ship = async (user: string, provider: string, order: string) => {
    const form = {
      license: stack.account.licenseIds[provider] ?? '',
      contact_name: 'Dana',
      contact_phone: '0501234567',
      street: 'Herzl',
      number: '7',
      city: 'Haifa',
      order,
      type: '1',
    };
    const made = await askPanel(at('/shipments/new'), { form, headers: { cookie: user } });
    if (made.status !== 303) throw new Error(made.text);
  };
  const chosenBy = async (user: string) => {
    const { text } = await askPanel(at('/shipments/new'), { headers: { cookie: user } });
    return /<option value="([^"]*)" selected>/.exec(text.split('name="license"')[1] ?? '')?.[1];
  };
  await ship(users[0], 'independent', 'last-1');
  await ship(users[1], 'unprinted', 'last-2');

  const chosen = [await chosenBy(users[0]), await chosenBy(users[1])];

  const { independent, unprinted: other } = stack.account.licenseIds;
  t.deepEqual(chosen, [independent, other]);
});
