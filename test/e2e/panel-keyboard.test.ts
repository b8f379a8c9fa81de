import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import test from 'ava';
import type { FileChooser, Page } from 'puppeteer';
import { insertAccount } from '../../src/db/queries/accounts/accounts.js';
import { startApiStack } from '../support/api-client.js';
import { insertCarrierLicense } from '../support/carrier-licenses.js';
import { eventually } from '../support/conditions.js';
import { startPageBrowser } from '../support/page-browser.js';
import { acceptByClicks, follow, invite } from '../support/panel.js';
import { textOf } from '../support/panel-pages.js';
import { patient } from '../support/patience.js';
import { shopFile } from '../support/shop-files.js';

const ORDERS = 24;
/** More than there is on any page. */
const MOST_TABS = 200;

const { stack, api } = await startApiStack();
const browser = await startPageBrowser();
test.after.always(() => Promise.all([browser.close(), stack.close()]));

/** Presses Tab until something is reached, and tells how often. */
async function tabTo(page: Page, selector: string): Promise<number> {
  const isThere = `document.activeElement?.matches(${JSON.stringify(selector)}) === true`;
  for (let tabs = 0; tabs <= MOST_TABS; tabs += 1) {
    if (await page.evaluate(isThere)) return tabs;
    await page.keyboard.press('Tab');
  }
  throw new Error(`no Tab leads to ${selector} on ${page.url()}`);
}

/** Presses Space until a file can be chosen: a browser drops keys that come before a page's first frame. */
async function chooserBySpace(page: Page): Promise<FileChooser> {
  return await eventually(async () => {
    const opening = page.waitForFileChooser({ timeout: 5000 });
    const [opened] = await Promise.allSettled([opening, page.keyboard.press('Space')]);
    return opened.status === 'fulfilled' && opened.value;
  }, 'a file to be asked for');
}

/** Presses Enter on what leads to another page. */
async function enter(page: Page, selector?: string): Promise<void> {
  if (selector !== undefined) await tabTo(page, selector);
  await Promise.all([page.waitForNavigation({ waitUntil: 'load' }), page.keyboard.press('Enter')]);
}

/** Presses Enter on what prints, and returns the address of the labels. */
async function print(page: Page, selector: string): Promise<string> {
  const known = (await page.browser().pages()).map((one) => one.url());
  await tabTo(page, selector);
  const opening = page
    .browser()
    .waitForTarget((tab) => tab.url().includes('/shipping/label/') && !known.includes(tab.url()));
  await page.keyboard.press('Enter');
  const address = (await opening).url();
  await page.bringToFront();
  return address;
}

test.serial(
  'a parcel is made and printed, and a file mended, booked and printed, by keyboard alone',
  async (t) => {
    t.timeout(patient(240_000));
    const account = Math.floor(Math.random() * 2 ** 40) + 1;
    await insertAccount(stack.db, { id: account, name: 'Shop', email: 'shop@shop.example' });
    await insertCarrierLicense(stack, {
      accountId: account,
      provider: 'run',
      baseUrl: stack.sandbox.url,
    });
    const { path } = await invite(stack, 'staff', account);
    const opened = await browser.open(`${api.url}${path}`, { language: 'he', width: 1280 });
    const { page } = opened;
    await acceptByClicks(page);
    await follow(page, 'main a.button');

    await enter(page, 'main a[href="shipments/new"]');
    const parcel = {
      contact_name: 'דנה לוי',
      contact_phone: '0501234567',
      street: 'הרצל',
      number: '7',
      city: 'חיפה',
      order: 'K-1',
    };
    for (const [name, text] of Object.entries(parcel)) {
      await tabTo(page, `[name=${name}]`);
      await page.keyboard.type(text);
    }
    await enter(page);
    t.truthy(await page.$('.status.created'), await textOf(page));
    t.is((await tabTo(page, 'form[action$="/label"] button')) < 40, true);

    await enter(page, '.bar nav a[href$="/shipments"]');
    await tabTo(page, '#q');
    await page.keyboard.type('K-');
    await page.waitForFunction('location.search.includes("q=K-")');
    t.is(await page.evaluate('document.activeElement.id'), 'q');
    const label = await print(page, 'form[target=_blank]:not(.chosen) button');
    t.is((await fetch(label)).status, 200);

    const folder = await mkdtemp(join(tmpdir(), 'orders-'));
    t.teardown(() => rm(folder, { recursive: true, force: true }));
    const file = await shopFile('woocommerce', { orders: ORDERS });
    await writeFile(join(folder, file.name), file.content);
    await enter(page, '.bar nav a[href$="/batches"]');
    await enter(page, 'main a[href="batches/new"]');
    await tabTo(page, '[name=file]');
    await (await chooserBySpace(page)).accept([join(folder, file.name)]);
    await enter(page, 'main > form > button');
    for (const { right } of file.faults) {
      // The first one has the focus when the page comes.
      await tabTo(page, '.mend [aria-invalid]');
      await page.keyboard.down('Control');
      await page.keyboard.press('KeyA');
      await page.keyboard.up('Control');
      await page.keyboard.press('Backspace');
      await page.keyboard.type(right);
      if (right !== file.faults.at(-1)?.right) await page.keyboard.press('Tab');
    }
    await enter(page);
    t.is(await page.$('.mend'), null, await textOf(page));
    await stack.sandbox.fault({ operation: 'book', kind: 'latency', value: 1000 });
    await enter(page, 'form[action$="/book"] button');
    await tabTo(page, '#progress nav a');
    await page.waitForSelector('#progress p .status.completed');
    await stack.sandbox.fault({ operation: 'book', kind: 'none' });
    t.true(await page.evaluate('document.activeElement.matches("#progress nav a")'), 'the focus stays');
    t.is((await fetch(await print(page, '#progress form[action$="/labels"] button'))).status, 200);
    t.is((await stack.sandbox.ledger()).length, 1 + ORDERS);
    t.deepEqual(opened.complaints, []);
  },
);
