import test from 'ava';
import { startApiStack } from '../support/api-client.js';
import { type OpenedPage, startPageBrowser } from '../support/page-browser.js';
import { acceptByClicks, follow, invite } from '../support/panel.js';
import { complaintsOf, look, nav, retype, textOf } from '../support/panel-pages.js';
import { patient } from '../support/patience.js';

const { stack, api } = await startApiStack({}, { authFailuresPerMinute: 1000 });
const browser = await startPageBrowser();
test.after.always(() => Promise.all([browser.close(), stack.close()]));

/** The panel as the user of an invitation sees it first. */
async function accepted(path: string, options: { language: string; width: number }): Promise<OpenedPage> {
  const opened = await browser.open(path, options);
  await acceptByClicks(opened.page);
  await follow(opened.page, 'main a.button');
  return opened;
}

/** Fills in fields by their names. */
async function fill({ page }: OpenedPage, fields: Record<string, string>): Promise<void> {
  for (const [name, text] of Object.entries(fields)) await retype(page, `main [name="${name}"]`, text);
}

/** Does what stands behind a summary in the main part. */
async function confirm({ page }: OpenedPage, details: string): Promise<void> {
  await page.click(`${details} summary`);
  await follow(page, `${details} button.danger`);
}

const RUN = {
  's.customer_number': '1234',
  's.shipment_type': '35',
  's.cargo_type_out': '10',
  's.token': 'sandbox-token',
  companyName: 'HFD',
  name: 'Blue at HFD',
  orderPrefix: 'BLUE-',
  collectStreet: 'HaMasger',
  collectNumber: '20',
  collectCity: 'Tel Aviv',
};

test.serial(
  'from an empty system to the first parcel: company, account, license, store, owner, in the panel alone',
  async (t) => {
    t.timeout(patient(300_000));
    const { path } = await invite(stack, 'administrator');
    const admin = await accepted(`${api.url}${path}`, { language: 'en', width: 1280 });
    const { page } = admin;

    await follow(page, nav('companies'));
    await look(t, admin, 'set-up-1-companies');
    await page.select('[name=carrier]', 'run');
    await fill(admin, { name: 'HDF' });
    await follow(page, 'main form.sheet button');
    await page.evaluate(
      "[...document.querySelectorAll('main table a')].find(({ textContent }) => textContent === 'HDF').id = 'misspelt'",
    );
    await follow(page, '#misspelt');
    await fill(admin, { name: 'HFD' });
    await follow(page, 'main form.sheet button');
    await look(t, admin, 'set-up-2-company');
    t.is(await textOf(page, 'h1'), 'HFD');

    await follow(page, nav('accounts'));
    await fill(admin, { name: 'Blue Shop', email: 'ops@blue.example' });
    await follow(page, 'main form.sheet button');
    const [account = ''] = /\d+(?=\/settings)/.exec(page.url()) ?? [];
    await fill(admin, { companyName: 'Blue', supportPhone: '03-5550100', whatsapp: '0501234567' });
    await follow(page, 'main form.sheet button');
    await look(t, admin, 'set-up-3-settings');

    await follow(page, `.bar nav a[href="/panel/a/${account}/licenses"]`);
    await page.select('[name=carrier]', 'run');
    await follow(page, 'main form button');
    await fill(admin, { ...RUN, 's.base_url': stack.sandbox.url });
    await follow(page, 'main form.sheet button');
    await look(t, admin, 'set-up-4-license');
    await follow(page, 'form[action$="/check"] button');
    t.truthy(await page.$('p.notice'), await textOf(page));

    await follow(page, `.bar nav a[href="/panel/a/${account}/sites"]`);
    await fill(admin, { domain: 'https://Shop.blue.example/' });
    await follow(page, 'main form.sheet button');
    t.is(await textOf(page, 'h1'), 'shop.blue.example');

    await follow(page, `.bar nav a[href="/panel/a/${account}/team"]`);
    await fill(admin, { email: 'dana@blue.example', name: 'Dana' });
    await page.select('main [name=role]', 'owner');
    await follow(page, 'main form.sheet button');
    const invitation = await textOf(page, '.secret');

    const owner = await accepted(`${api.url}${new URL(invitation.trim(), api.url).pathname}`, {
      language: 'he',
      width: 360,
    });
    await follow(owner.page, nav('licenses'));
    await look(t, owner, 'set-up-5-owner-licenses');
    await follow(owner.page, 'main table a');
    await look(t, owner, 'set-up-6-owner-license');
    t.regex(await textOf(owner.page), /lic_/);
    await fill(owner, { collectStreet: 'דיזנגוף' });
    await follow(owner.page, 'main form.sheet button');
    t.truthy(await owner.page.$('p.notice'));

    await follow(owner.page, nav('shipments'));
    await follow(owner.page, 'main a.button');
    await fill(owner, {
      contact_name: 'דנה לוי',
      contact_phone: '0501234567',
      street: 'הרצל',
      number: '7',
      city: 'חיפה',
      order: '1001',
    });
    await follow(owner.page, 'button[value=show]');
    t.regex(await textOf(owner.page), /דנה לוי/);
    const [booked] = await stack.sandbox.ledger();
    t.truthy(booked, 'the carrier has it');
    t.deepEqual([...complaintsOf(admin), ...complaintsOf(owner)], []);
  },
);

test.serial('names and roles: changed in the panel, and what takes rights away asks first', async (t) => {
  t.timeout(patient(180_000));
  const { path } = await invite(stack, 'administrator');
  await invite(stack, 'administrator');
  const opened = await accepted(`${api.url}${path}`, { language: 'he', width: 360 });
  const { page } = opened;
  await follow(page, nav('users'));
  await look(t, opened, 'people-1-users');
  const links = await page.$$eval('main table a', (all) => all.map((one) => one.getAttribute('href') ?? ''));
  await follow(page, `main table a[href="${links.at(-1)}"]`);

  await fill(opened, { name: 'נועה לוי' });
  await follow(page, 'main form.sheet button');
  await look(t, opened, 'people-2-person');
  t.is(await textOf(page, 'h1'), 'נועה לוי');
  await confirm(opened, 'main details');
  await look(t, opened, 'people-3-role');
  t.is((await page.$$('main details')).length, 0, 'an operator has less: the way up does not ask');
  t.deepEqual(complaintsOf(opened), []);
});
