import { randomUUID } from 'node:crypto';
import test from 'ava';
import { allCarriers, carrierFor } from '../../../src/carriers/registry.js';
import { listAudit } from '../../../src/db/queries/accounts/audit-log.js';
import { findLicenseHead } from '../../../src/db/queries/accounts/licenses.js';
import { checkLicense } from '../../../src/services/admin/check-license.js';
import { createCarrierAccounts } from '../../../src/services/carriers/carrier-accounts.js';
import { startHttp } from '../../support/http.js';
import { askPanel, cookieOf } from '../../support/panel.js';
import { plainShipment } from '../../support/shipments.js';

const http = await startHttp();
test.after.always(() => http.close());

/** An account without a license, and a way for an administrator to ask for pages below its licenses. */
async function administrator() {
  const { id } = await http.account();
  const cookie = await cookieOf(http, 'administrator');
  const ask = (path: string, form?: Record<string, string>) =>
    askPanel(`${http.url}/panel/a/${id}/licenses${path}`, {
      ...(form === undefined ? {} : { form }),
      headers: { cookie },
    });
  const make = async (form: Record<string, string>) => {
    const made = await ask('/new', form);
    return { made, page: `/${/licenses\/(\d+)/.exec(made.to ?? '')?.[1] ?? ''}` };
  };
  return { id, ask, make };
}

const LIONWHEEL = {
  carrier: 'lionwheel',
  name: 'Blue',
  's.base_url': 'https://members.lionwheel.com',
  's.key': 'c_key_1',
};

test('licenses: made where there is no company, which is made by its name, once', async (t) => {
  const { id, ask, make } = await administrator();
  const companyName = randomUUID();

  const list = await ask('');
  const empty = await ask('/new?carrier=lionwheel');
  const first = await make({ ...LIONWHEEL, companyName });
  const second = await make({ ...LIONWHEEL, companyName, name: 'Green' });

  for (const { provider } of allCarriers()) t.true(list.text.includes(`value="${provider}"`), provider);
  t.true(list.text.includes('HFD, Chita, Focus, YDM (Run)'));
  t.is(empty.status, 200);
  t.true((await ask('')).text.includes(companyName));
  const heads = await Promise.all([first, second].map(({ page }) => findLicenseHead(http.db, page.slice(1))));
  t.like(heads[0], { accountId: id, provider: 'lionwheel', company: companyName });
  t.is(heads[0]?.companyId, heads[1]?.companyId);
});

test('licenses: another merchant is shown no company of the first', async (t) => {
  const companyName = randomUUID();
  const [one, other] = [await administrator(), await administrator()];
  await one.make({ ...LIONWHEEL, companyName });

  const [own, foreign] = [await one.ask('/new?carrier=lionwheel'), await other.ask('/new?carrier=lionwheel')];

  t.true(own.text.includes(companyName));
  t.false(foreign.text.includes(companyName));
});

test('licenses: what the carrier needs is required, and all that is wrong is named at once', async (t) => {
  const { ask } = await administrator();
  const form = {
    ...LIONWHEEL,
    companyName: randomUUID(),
    's.base_url': 'http://far.example',
    's.key': '',
    's.statuses': '{broken',
    's.cod_type': '9',
    licenseKey: 'short',
  };

  const { status, text } = await ask('/new', form);

  t.is(status, 422);
  for (const field of ['s.base_url', 's.key', 's.statuses', 's.cod_type', 'licenseKey']) {
    t.true(text.includes(`id="${field}-error"`), field);
  }
  t.true((await ask('')).text.includes('class="nothing"'));
  const unknown = await ask('/new', { ...LIONWHEEL, companyName: 'x', 's.statuses': '{"9":"gone"}' });
  t.true(unknown.text.includes('id="s.statuses-error"'));
});

test('licenses: a carrier whose bookings name the collection address needs it, also later', async (t) => {
  const { ask, make } = await administrator();
  const form = {
    carrier: 'getpackage',
    companyName: 'GetPackage',
    name: 'Blue',
    's.base_url': 'https://apiv2.getpackage.com',
    's.token': 'token',
  };

  const refused = await ask('/new', form);
  const { page } = await make({ ...form, collectStreet: 'HaMasger', collectCity: 'Tel Aviv' });
  const cleared = await ask(page, { ...form, collectStreet: 'HaMasger', collectCity: '' });

  t.is(refused.status, 422);
  for (const field of ['collectStreet', 'collectCity']) t.true(refused.text.includes(`id="${field}-error"`));
  t.is(cleared.status, 422);
  t.true(cleared.text.includes('id="collectCity-error"'));
  t.regex((await ask(page)).text, /name="collectCity"[^>]*value="Tel Aviv"/);
});

test('licenses: every field is changed in the panel, and shown again', async (t) => {
  const { ask, make } = await administrator();
  const form = { ...LIONWHEEL, companyName: randomUUID() };
  const { page } = await make(form);
  const before = await findLicenseHead(http.db, page.slice(1));
  const key = `lic_${randomUUID()}`;
  const changes = {
    ...form,
    's.key': '',
    name: 'Blue two',
    companyName: randomUUID(),
    licenseKey: key,
    orderPrefix: 'B-',
    multipleShipment: 'on',
    expires: '2999-01-31',
    domain: 'shop.blue.example',
    blockedStatuses: 'cancelled, failed',
    commitmentDay: '3',
    labelMethod: 'builtin',
    labelType: 'A4',
    'f.print_products': 'on',
  };

  t.is((await ask(page, changes)).to?.replace(/.*licenses/, ''), `${page}?notice=saved`);
  const shown = await ask(page);

  for (const name of [
    'name',
    'companyName',
    'licenseKey',
    'orderPrefix',
    'expires',
    'domain',
    'blockedStatuses',
  ] as const) {
    t.true(shown.text.includes(`value="${changes[name]}"`), name);
  }
  t.regex(shown.text, /name="multipleShipment" value="on" checked/);
  t.regex(shown.text, /name="f\.print_products" value="on" checked/);
  t.notRegex(shown.text, /name="f\.send_note_on_order" value="on" checked/);
  t.regex(shown.text, /value="A4" selected/);
  t.regex(shown.text, /value="builtin" selected/);
  const [row] = await http.db.select(
    'SELECT commitment_day, expires_at FROM licenses WHERE license_key = ?',
    [key],
  );
  t.is(row?.commitment_day, 3);
  t.not((await findLicenseHead(http.db, page.slice(1)))?.companyId, before?.companyId);
  await ask(page, { ...changes, domain: '', expires: '', blockedStatuses: '' });
  t.regex((await ask(page)).text, /name="domain" type="text" value="" /);
});

test('licenses: one that lost a setting is refused with its name, and nobody is asked', async (t) => {
  const { make } = await administrator();
  const { page } = await make({ ...LIONWHEEL, companyName: 'LionWheel' });
  const license = page.slice(1);
  await http.db.run('UPDATE license_settings SET secrets = NULL WHERE license_id = ?', [Number(license)]);
  const { appKeys } = http.config;
  const account = await createCarrierAccounts(http.db, appKeys, carrierFor)(Number(license), 'lionwheel');

  const booked = await carrierFor('lionwheel').book(
    { reference: randomUUID(), orderNumber: '1', shipment: plainShipment() },
    { account, signal: new AbortController().signal },
  );
  const asked = await checkLicense(
    { db: http.db, config: http.config, adapters: allCarriers() },
    { license },
  );

  const text = 'The license lacks settings for LionWheel, or they are wrong: key. Nothing was sent.';
  t.like(booked, { kind: 'rejected', code: 'invalid_settings', text });
  t.like(asked, { result: 'refused', answer: text });
});

test('licenses: the address at which the carrier reports is shown to administrators, and replaced', async (t) => {
  const { id, ask, make } = await administrator();
  const { page } = await make({ ...LIONWHEEL, companyName: randomUUID() });
  const addressOn = (text: string) => /\/carriers\/lionwheel\/[\w-]+/.exec(text)?.[0] ?? '';

  const license = await ask(page);
  const first = addressOn((await ask(`${page}/webhook-url`, {})).text);
  const again = addressOn((await ask(`${page}/webhook-url`, {})).text);
  const rotated = addressOn((await ask(`${page}/webhook-url/rotate`, {})).text);

  t.is(addressOn(license.text), '', 'on no other page');
  t.true(license.text.includes(`${page}/webhook-url"`));
  t.not(first, '');
  t.is(again, first);
  t.not(rotated, '');
  t.not(rotated, first);
  const entries = await listAudit(http.db, { accountId: id, action: 'licenses' }, { limit: 9 });
  t.deepEqual(
    entries.map(({ action }) => action),
    ['licenses.rotate-webhook-url', 'licenses.create'],
  );
  t.false(JSON.stringify(entries).includes(rotated));
});
