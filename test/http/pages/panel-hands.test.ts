import { randomUUID } from 'node:crypto';
import test from 'ava';
import { startHttp } from '../../support/http.js';
import { startPageBrowser } from '../../support/page-browser.js';
import { cookieOf, follow } from '../../support/panel.js';
import { patient } from '../../support/patience.js';

const http = await startHttp({ config: { baseUrl: 'http://127.0.0.1' } });
const browser = await startPageBrowser();
test.after.always(() => Promise.all([browser.close(), http.close()]));

/** A page of a new account, opened by one of its staff; and its parcels. */
async function opened(path: string, orders: string[]) {
  const { id } = await http.account();
  const license = await http.license(id);
  for (const orderId of orders) await http.shipment(id, license, { orderId });
  const { page, complaints } = await browser.open(`${http.url}/panel/sign-in`, { width: 1280 });
  const [name = '', value = ''] = (await cookieOf(http, 'staff', id)).split(';')[0]?.split('=') ?? [];
  await page.setCookie({ name, value, url: http.url });
  const url = `${http.url}/panel/a/${id}${path}`;
  await page.goto(url, { waitUntil: 'networkidle0' });
  return { page, complaints, url };
}

const CHOSEN = '[data-count]';

test.serial('GET /panel/…/shipments: ticks by script survive another page, Back and a reload', async (t) => {
  t.timeout(patient(120_000));
  const { page, complaints, url } = await opened('/shipments', ['hands-1', 'hands-2']);
  const chosen = () => page.$eval(CHOSEN, (element) => element.textContent);

  await page.click('[name="uuid"]');
  const ticked = await chosen();
  await follow(page, 'td a[href^="shipments/"]');
  await page.goBack({ waitUntil: 'networkidle0' });
  const back = await chosen();
  await page.goto(`${url}?q=hands-1`, { waitUntil: 'networkidle0' });
  const filtered = await chosen();
  await follow(page, '[name="clear"]');

  t.deepEqual([ticked, back, filtered, await chosen()], ['1', '1', '1', '0']);
  t.deepEqual(complaints, []);
});

test.serial(
  'GET /panel/…/scan: scans faster than their answers are all answered, in their order',
  async (t) => {
    t.timeout(patient(120_000));
    const { page, complaints } = await opened('/scan', ['hands-3']);
    const none = randomUUID();

    for (const code of [none, 'hands-3', 'hands-3']) await page.keyboard.type(`${code}\n`);
    await page.waitForFunction("document.querySelectorAll('#scanned li').length === 3");

    const outcomes = await page.$$eval('#scanned li', (items) => items.map((item) => item.className));
    t.deepEqual(outcomes, ['already', 'opened', 'wrong']);
    t.is(await page.evaluate('document.activeElement.id'), 'code');
    t.deepEqual(complaints, []);
  },
);

test.serial('GET /panel/…/scan: a scan that nobody answers stands in the list with its code', async (t) => {
  t.timeout(patient(120_000));
  const { page } = await opened('/scan', []);
  await page.setOfflineMode(true);

  await page.keyboard.type('hands-4\n');
  const line = await page.waitForSelector('#scanned .wrong');

  t.regex((await line?.evaluate((item) => item.textContent)) ?? '', /hands-4.*Not answered/s);
});
