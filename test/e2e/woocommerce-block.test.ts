import test, { type ExecutionContext } from 'ava';
import type { Page } from 'puppeteer';
import { replacePoints } from '../../src/db/queries/carriers/pickup-points.js';
import { CleanUps } from '../support/clean-ups.js';
import { eventually } from '../support/conditions.js';
import { type PageBrowser, startPageBrowser } from '../support/page-browser.js';
import { forgetTowns, makeBlockCheckOut, setRules, strikeUntil } from '../support/shop-orders.js';
import { connectShop, parcelsOf } from '../support/shop-person.js';
import { type ShopStack, startShopStack } from '../support/shop-stack.js';
import { findShop } from '../support/wordpress.js';

const sources = await findShop();
const REASON = typeof sources === 'string' ? sources : 'the stand-in for WooCommerce has no block check-out';
const isThere = typeof sources !== 'string' && sources.woocommerce !== null;
if (!isThere) console.log(`the block check-out's tests are skipped: ${REASON}`);
const inShop = isThere ? test.serial : test.serial.skip;
const KIOSK = { id: '1003', name: 'קיוסק הפינה', city: 'תל אביב', street: 'אלנבי', number: '3' };
const CAFE = { id: '1007', name: 'קפה הנמל', city: 'חיפה', street: 'הנמל', number: '12' };
const LONG = { ...CAFE, id: '1009', name: 'מכולת השכונה של משפחת כהן ובניו שליד הכניסה הצפונית' };
const WORDS = 'קיוסק הפינה, אלנבי 3, תל אביב';
const CHOOSER = 'select[aria-label="Pickup point"]';
const PLACE_ORDER = '.wc-block-components-checkout-place-order-button';

let stack: ShopStack['stack'];
let api: ShopStack['api'];
let shop: ShopStack['shop'];
let buyers: PageBrowser;
let checkOut: { rate: string; path: string; add: string };
const cleanUps = new CleanUps();

test.before(async () => {
  if (typeof sources === 'string' || !isThere) return;
  const started = await startShopStack(cleanUps, sources);
  ({ stack, api, shop } = started);
  // In the person's browser a buyer is signed in.
  buyers = await startPageBrowser();
  cleanUps.teardown(() => buyers.close());
  await connectShop(started.person, { url: api.url, ...stack.account });
  checkOut = await makeBlockCheckOut(shop);
  await setRules(shop, {
    license: stack.account.licenseKeys.run ?? '',
    statuses: ['processing'],
    points: [checkOut.rate],
  });
  await replacePoints(stack.db, {
    licenseId: Number(stack.account.licenseIds.run),
    points: [KIOSK, CAFE, LONG].map((one) => ({
      ...one,
      streetCode: '',
      remarks: '',
      latitude: 32.07,
      longitude: 34.77,
    })),
  });
});

test.after.always(() => cleanUps.end());

/** Opens the check-out as a buyer with a full cart, and fills in everything but the point. */
async function openCheckOut(city: string): Promise<Page> {
  const { page } = await buyers.open(`${shop.url}${checkOut.add}`, { width: 1280, height: 1200 });
  await page.goto(`${shop.url}${checkOut.path}`, { waitUntil: 'load' });
  await page.waitForSelector('#email');
  await fill(page, 'email', 'dana@example.test');
  await fill(page, 'shipping-first_name', 'דנה');
  await fill(page, 'shipping-last_name', 'לוי');
  await fill(page, 'shipping-address_1', 'דיזנגוף 99');
  await fill(page, 'shipping-city', city);
  await fill(page, 'shipping-postcode', '6100000');
  await fill(page, 'shipping-phone', '0501234567');
  return page;
}

async function fill(page: Page, id: string, text: string): Promise<void> {
  await page.click(`#${id}`, { count: 3 });
  await page.type(`#${id}`, text);
  await page.keyboard.press('Tab');
}

async function valuesOf(page: Page): Promise<string[]> {
  return await page.$$eval(`${CHOOSER} option`, (all) => all.map((one) => one.getAttribute('value') ?? ''));
}

/** Presses "Place order" and returns the number of the order that the page then thanks for. */
async function placeOrder(t: ExecutionContext, page: Page): Promise<number> {
  const thanked = () => /order-received[/=](\d+)/.exec(page.url())?.[1];
  const press = async () => {
    if (thanked() !== undefined) return;
    // WooCommerce drops a press while it counts the totals once more, and a buyer presses again.
    const button = await page.$(`${PLACE_ORDER}:not([disabled])`);
    await button?.click();
  };
  // The page may go to the next one under the press.
  const pressed = () => press().then(thanked, thanked);
  const id = await eventually(pressed, 'the page after the order', 60_000).catch(async (error: unknown) => {
    t.log(await page.$eval('body', (body) => (body.textContent ?? '').slice(0, 4000)));
    throw error;
  });
  return Number(id);
}

async function pointOf(id: number): Promise<unknown> {
  return JSON.parse(await shop.php(`echo json_encode(wc_get_order(${id})->get_meta('_parcelworks_point'));`));
}

inShop('an order of the block check-out is one parcel, at the point that its buyer chose', async (t) => {
  t.timeout(240_000);
  const before = (await stack.sandbox.ledger()).length;
  const page = await openCheckOut(CAFE.city);
  await page.waitForSelector(`${CHOOSER} option[value^="${LONG.id}"]`);
  await page.setViewport({ width: 360, height: 1200 });
  await page.waitForFunction('document.documentElement.scrollWidth === 360');
  await page.setViewport({ width: 1280, height: 1200 });
  await page.select(CHOOSER, `${CAFE.id}|קפה הנמל, הנמל 12, חיפה`);

  // Another town has other points, and forgets the one that was chosen.
  await fill(page, 'shipping-city', KIOSK.city);
  await page.waitForSelector(`${CHOOSER} option[value^="${KIOSK.id}"]`);
  const offered = await valuesOf(page);
  const kept = await page.$eval(CHOOSER, (list) => (list as unknown as { value: string }).value);
  await page.select(CHOOSER, offered[1] ?? '');
  const id = await placeOrder(t, page);
  await strikeUntil(shop, [id], 'booked');

  t.deepEqual(offered, ['', `${KIOSK.id}|${WORDS}`]);
  t.is(kept, '');
  t.deepEqual(await pointOf(id), { id: KIOSK.id, words: WORDS });
  t.is((await parcelsOf(shop, [id])).length, 1);
  const booked = (await stack.sandbox.ledger()).slice(before);
  t.is(booked.length, 1);
  t.true(JSON.stringify(booked[0]?.request).includes(KIOSK.id));
});

inShop('a purchase in the block check-out goes on while the service is away', async (t) => {
  t.timeout(240_000);
  await forgetTowns(shop);
  await api.process.kill9();
  const page = await openCheckOut(KIOSK.city);

  await page.waitForFunction(`document.body.textContent.includes('after the order')`);
  const id = await placeOrder(t, page);
  await api.process.start();
  await forgetTowns(shop);
  await page.reload({ waitUntil: 'load' });
  await page.select('select[name="parcelworks_point"]', `${KIOSK.id}|${WORDS}`);
  await Promise.all([page.waitForNavigation({ waitUntil: 'load' }), page.click('.parcelworks-point button')]);
  const said = await page.$eval('body', (body) => body.textContent ?? '');
  await strikeUntil(shop, [id], 'booked');

  t.true(said.includes(WORDS), said);
  t.deepEqual(await pointOf(id), { id: KIOSK.id, words: WORDS });
  t.is((await parcelsOf(shop, [id])).length, 1);
});
