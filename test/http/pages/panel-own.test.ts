import test from 'ava';
import { listAudit } from '../../../src/db/queries/accounts/audit-log.js';
import { insertCarrierLicense } from '../../support/carrier-licenses.js';
import { startHttp } from '../../support/http.js';
import { askPanel, cookieOf } from '../../support/panel.js';
import { formsIn } from '../../support/panel-forms.js';

const http = await startHttp();
test.after.always(() => http.close());

const SANDBOX = 'http://127.0.0.1:9';

/** An account with a license of a carrier, and ways for its owner, its staff and an operator to ask for its pages. */
async function merchant(provider = 'getpackage') {
  const { id } = await http.account();
  const collectFrom = { street: 'HaMasger', number: '20', city: 'Tel Aviv', company: 'Blue' };
  const license = await insertCarrierLicense(http, {
    accountId: id,
    provider,
    baseUrl: SANDBOX,
    collectFrom,
  });
  const asker = (cookie: string) => (path: string, form?: Record<string, string>) =>
    askPanel(`${http.url}/panel/a/${id}${path}`, {
      ...(form === undefined ? {} : { form }),
      headers: { cookie },
    });
  return {
    id,
    license,
    page: `/licenses/${license.id}`,
    owner: asker(await cookieOf(http, 'owner', id)),
    staff: asker(await cookieOf(http, 'staff', id)),
    operator: asker(await cookieOf(http, 'operator')),
  };
}

/** The fields of the form that saves a page, as a browser sends them, with other values. */
function formOf(text: string, changes: Record<string, string>): Record<string, string> {
  const form = formsIn(text).find(({ fields }) => fields.some(([name]) => name === 'was'));
  return { ...Object.fromEntries(form?.fields ?? []), ...changes };
}

async function storedOf(license: number) {
  const [row] = await http.db.select(
    `SELECT l.name, l.is_active, l.domain, l.license_key AS license, t.settings, t.collect_street AS street,
       t.collect_city AS city, t.label_type AS paper, t.print_products AS printed
     FROM licenses l JOIN license_settings t ON t.license_id = l.id WHERE l.id = ?`,
    [license],
  );
  return row;
}

test('GET /panel/a/:account/licenses: an owner sees key, carrier by name and what is required', async (t) => {
  const { license, page, owner } = await merchant();
  await http.db.run(
    'UPDATE companies SET name = ? WHERE id = (SELECT company_id FROM licenses WHERE id = ?)',
    ['Getters Ltd', license.id],
  );

  const list = await owner('/licenses');
  const one = await owner(page);
  await http.db.run('UPDATE license_settings SET secrets = NULL WHERE license_id = ?', [license.id]);
  const lost = await owner(page);

  for (const { status, text } of [list, one]) {
    t.is(status, 200);
    t.true(text.includes(license.key));
    t.true(text.includes('Getters Ltd'));
  }
  t.false(list.text.includes('licenses/new'), 'makes none');
  for (const field of ['collectStreet', 'collectCity']) {
    t.regex(one.text, new RegExp(`name="${field}"[^>]* required`), field);
  }
  t.notRegex(one.text, /name="s\.|127\.0\.0\.1:9/, 'no setting of the carrier');
  t.notRegex(one.text, /missing:/);
  t.regex(lost.text, /missing: token/);
});

test('POST /panel/a/:account/licenses/:license: an owner changes address, labels and shop', async (t) => {
  const { id, license, page, owner } = await merchant();
  const { text } = await owner(page);
  const changes = {
    collectStreet: 'Dizengoff',
    domain: 'new.example',
    labelType: 'A4',
    'f.print_products': 'on',
  };

  const saved = await owner(page, formOf(text, changes));

  t.is(saved.to, `/panel/a/${id}${page}?notice=saved`);
  t.like(await storedOf(license.id), {
    street: 'Dizengoff',
    city: 'Tel Aviv',
    domain: 'new.example',
    paper: 'A4',
    printed: 1,
  });
  const [entry, ...others] = await listAudit(http.db, { accountId: id, action: 'licenses' }, { limit: 9 });
  t.is(others.length, 0);
  t.like(entry, {
    action: 'licenses.change',
    target: { kind: 'license', id: String(license.id) },
    before: { collect_street: 'HaMasger' },
    after: { collect_street: 'Dizengoff' },
  });
  t.true(entry?.actor.name.includes('@'));
  t.false(JSON.stringify(entry).includes(license.key));
});

test('POST /panel/a/:account/licenses/:license: what is not an owner’s has no effect', async (t) => {
  const { license, page, owner } = await merchant();
  const { text } = await owner(page);
  const before = await storedOf(license.id);
  const foreign = {
    name: 'Mine',
    companyName: 'Mine',
    licenseKey: 'mine-and-long-enough',
    active: 'false',
    expires: '2999-01-31',
    carrier: 'run',
    's.base_url': 'https://evil.example',
    's.token': 'mine',
  };

  const { status } = await owner(page, formOf(text, foreign));

  t.is(status, 303);
  t.deepEqual(await storedOf(license.id), before);
});

test('POST /panel/a/:account/licenses/:license: 422 at the address when its carrier needs one', async (t) => {
  const { license, page, owner } = await merchant();
  const { text } = await owner(page);

  const refused = await owner(page, formOf(text, { collectCity: '', collectStreet: 'Dizengoff' }));

  t.is(refused.status, 422);
  t.true(refused.text.includes('id="collectCity-error"'));
  t.regex(refused.text, /name="collectStreet"[^>]*value="Dizengoff"/);
  t.like(await storedOf(license.id), { street: 'HaMasger', city: 'Tel Aviv' });
});

test('GET /panel/a/:account/licenses: 404 for staff and operators, who see no key', async (t) => {
  const { page, staff, operator } = await merchant();
  for (const ask of [staff, operator]) {
    for (const path of ['/licenses', page]) t.is((await ask(path)).status, 404, path);
    t.is((await ask(page, { collectStreet: 'Mine' })).status, 404);
  }
});

test('POST /panel/a/:account/settings: an owner sets contacts, sender and labels; other contacts stay', async (t) => {
  const { id, owner } = await merchant();
  await http.db.run('UPDATE accounts SET tracker_page_contact_info = ? WHERE id = ?', [
    JSON.stringify({ email: 'kept@blue.example', hours: '9-17' }),
    id,
  ]);
  const { text } = await owner('/settings');
  t.regex(text, /name="hours"[^>]*value="9-17"/);
  const changes = {
    phone: '03-5550100',
    whatsapp: '0501234567',
    hours: '',
    labelMethod: 'carrier',
    displayOrderNumberBarcode: 'on',
    companyLogo: 'https://blue.example/logo.png',
  };

  const { status } = await owner('/settings', formOf(text, changes));

  t.is(status, 303);
  const shown = (await owner('/settings')).text;
  for (const [name, value] of Object.entries(changes)) {
    if (/Method|Barcode/.test(name)) continue;
    t.true(new RegExp(`name="${name}"[^>]*value="${value}"`).test(shown), name);
  }
  t.regex(shown, /name="displayOrderNumberBarcode" value="on" checked/);
  const [stored] = await http.db.select(
    'SELECT tracker_page_contact_info AS info FROM accounts WHERE id = ?',
    [id],
  );
  t.like(JSON.parse(String(stored?.info)), { email: 'kept@blue.example', whatsapp: '0501234567', hours: '' });
  const [entry, ...others] = await listAudit(http.db, { accountId: id, action: 'accounts' }, { limit: 9 });
  t.is(others.length, 0);
  t.is(entry?.action, 'accounts.change');
});
