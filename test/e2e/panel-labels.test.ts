import { randomUUID } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import test from 'ava';
import type { Target } from 'puppeteer';
import { startPageBrowser } from '../support/page-browser.js';
import { acceptByClicks, follow, invite } from '../support/panel.js';
import { nav, retype } from '../support/panel-pages.js';
import { patient } from '../support/patience.js';
import { readPdf } from '../support/pdf.js';
import { startStack } from '../support/stack.js';

const ORDERS = 20;

/** Twenty orders of a shop, in three scripts. */
const items = Array.from({ length: ORDERS }, (_, index) => ({
  order: { id: randomUUID().slice(0, 8), number: `#${1001 + index}` },
  ship_data: {
    contact_name: ['Dana Levi', 'דנה לוי', 'دانا ليفي'][index % 3],
    contact_phone: `05012345${String(index).padStart(2, '0')}`,
    street: ['Herzl', 'הרצל', 'هرتسل'][index % 3],
    number: String(index + 1),
    city: ['Haifa', 'חיפה', 'حيفا'][index % 3],
    type: 1,
    return: 1,
  },
}));

const isLabels = (tab: Target) => tab.url().includes('/shipping/label/');

test('twenty orders are loaded and printed on sheets that begin at the third label, with clicks alone', async (t) => {
  t.timeout(patient(240_000));
  const stack = await startStack();
  t.teardown(() => stack.close());
  await stack.startWorkers();
  const url = await stack.startApi();
  const browser = await startPageBrowser();
  t.teardown(() => browser.close());
  const { id, licenseIds } = stack.account;
  const { path } = await invite(stack, 'staff', id);
  const { page, complaints } = await browser.open(`${url}${path}`, { language: 'he', width: 360 });
  await acceptByClicks(page);
  await follow(page, 'main a.button');

  await follow(page, nav('batches'));
  await follow(page, 'main a.button');
  await page.click('main > details > summary');
  await page.select('main > details [name=license]', licenseIds.run ?? '');
  await retype(page, '[name=items]', JSON.stringify(items));
  await page.click('main > details form button');
  await page.waitForSelector('#progress p .status.completed');
  const ofBatch = page.browser().waitForTarget(isLabels);
  await page.click('#progress form[action$="/labels"] button');
  const first = (await ofBatch).url();
  const rolls = await readPdf(new Uint8Array(await (await fetch(first)).arrayBuffer()));
  t.is(rolls.length, ORDERS, "the batch's labels in one click");
  await page.bringToFront();
  await follow(page, nav('shipments'));
  const boxes = await page.$$('[name=uuid]');
  t.is(boxes.length, ORDERS);
  for (const box of boxes) await box.click();
  await page.select('[name=label_type]', 'A4');
  await page.select('.chosen [name=position]', '3');
  t.deepEqual(complaints, []);
  const printed = page.browser().waitForTarget((tab) => isLabels(tab) && tab.url() !== first);
  await page.click('.bulk button');
  const pdf = await fetch((await printed).url());
  const pages = await readPdf(new Uint8Array(await pdf.arrayBuffer()));

  const folder = process.env.PANEL_PICTURES;
  if (folder !== undefined) {
    for (const [number, sheet] of pages.entries()) {
      writeFileSync(`${folder}/labels-${number + 1}.png`, await sheet.png());
    }
  }

  const codes = (await Promise.all(pages.map((sheet) => sheet.codes()))).flat();
  const shipped = await stack.db.select('SELECT tracking_code FROM shipments');
  const barcodes = codes.filter(({ format }) => format === 'Code128').map(({ text }) => text);
  t.deepEqual(barcodes.sort(), shipped.map((row) => String(row.tracking_code)).sort());
  t.deepEqual(
    pages.map(({ missing }) => missing),
    pages.map(() => 0),
  );
  // Six of eight on the first sheet.
  t.is(pages.length, 3);
});
