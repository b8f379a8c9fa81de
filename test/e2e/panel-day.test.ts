import test from 'ava';
import {
  type OpenedPage,
  type PageBrowser,
  startPageBrowser,
  violationsOf,
} from '../support/page-browser.js';
import { codeOf, follow, invite } from '../support/panel.js';
import { patient } from '../support/patience.js';
import { startStack, type TestStack } from '../support/stack.js';

let stack: TestStack;
let url: string;
let browser: PageBrowser;

test.before(async () => {
  stack = await startStack();
  await stack.startWorkers();
  url = await stack.startApi(undefined, { authFailuresPerMinute: 1000 });
  browser = await startPageBrowser();
});
test.after.always(async () => {
  await browser?.close();
  await stack?.close();
});

const PASSWORD = 'a long enough password';

/** Accepts an invitation as a person does. */
async function signUp(opened: OpenedPage): Promise<string> {
  const { page } = opened;
  const secret = await page.$eval('[name=secret]', (input) => (input as { value: string }).value);
  await page.type('[name=password]', PASSWORD);
  await page.type('[name=code]', codeOf(secret));
  await follow(page, 'main button');
  return secret;
}

async function look({ page }: OpenedPage, name: string): Promise<void> {
  const folder = process.env.PANEL_PICTURES;
  if (folder !== undefined) await page.screenshot({ path: `${folder}/${name}.png`, fullPage: true });
}

test('a merchant signs up, ships an order, prints its label and cancels it, with clicks alone', async (t) => {
  t.timeout(patient(180_000));
  const { id } = stack.account;
  const { path, email } = await invite(stack, 'staff', id);
  const opened = await browser.open(`${url}${path}`, { language: 'he', width: 360 });
  const { page } = opened;
  await look(opened, '1-invitation');
  const secret = await signUp(opened);
  await look(opened, '2-recovery');
  t.is((await page.$$('.codes li')).length, 10);

  await follow(page, 'main a.button');
  await look(opened, '3-shipments-empty');
  await follow(page, 'main a.button');
  await page.select('[name=license_key]', stack.account.licenseKeys.run ?? '');
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
});
