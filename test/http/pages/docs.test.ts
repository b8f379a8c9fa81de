import test from 'ava';
import { v1Routes } from '../../../src/api/v1/routes.js';
import { v2Routes } from '../../../src/api/v2/routes.js';
import { type HttpStack, startHttp } from '../../support/http.js';
import { send } from '../../support/http-send.js';
import { type PageBrowser, startPageBrowser } from '../../support/page-browser.js';
import { newMerchant, newParcel } from '../../support/parcels.js';

let http: HttpStack;
let browser: PageBrowser;

test.before(async () => {
  [http, browser] = await Promise.all([startHttp(), startPageBrowser()]);
});
test.after.always(() => Promise.all([browser?.close(), http?.close()]));

test('the docs page shows every route, tries one, asks no other host, and breaks no rule of its policy', async (t) => {
  const { page, requests, complaints } = await browser.open(`${http.url}/docs`, { width: 1280, height: 900 });
  t.teardown(() => page.close());

  await page.waitForSelector('.opblock');
  const shown = (await page.$$eval('.opblock', (blocks) => blocks.map((block) => block.id))) as string[];
  await page.click('[id$="-createShipment"] .opblock-summary-control');
  await page.waitForSelector('[id$="-createShipment"] .opblock-body .example');
  await page.click('[id$="-ping"] .opblock-summary-control');
  await page.waitForSelector('[id$="-ping"] .try-out__btn');
  await page.click('[id$="-ping"] .try-out__btn');
  await page.waitForSelector('[id$="-ping"] .execute');
  await page.click('[id$="-ping"] .execute');
  await page.waitForSelector('[id$="-ping"] .live-responses-table .response-col_status');
  const status = await page.$eval('[id$="-ping"] .live-responses-table tbody .response-col_status', (cell) =>
    cell.textContent?.trim(),
  );
  const links = await page.$$eval('header a', (anchors) => anchors.map((a) => a.getAttribute('href')));

  t.deepEqual(
    shown.map((id) => id.split('-').at(-1)).sort(),
    v2Routes.map(({ operationId }) => operationId).sort(),
  );
  t.true(status?.startsWith('200'), status);
  t.deepEqual(complaints, []);
  t.true(requests.every((url) => url.startsWith(`${http.url}/`) || url.startsWith('data:')));
  t.deepEqual(links, ['/docs', '/docs/v1', '/docs/webhooks', '/api/v2/openapi.json']);
});

test('the reference of v1 shows every route, and breaks no rule of its policy', async (t) => {
  const { page, requests, complaints } = await browser.open(`${http.url}/docs/v1`, {
    width: 1280,
    height: 900,
  });
  t.teardown(() => page.close());

  await page.waitForSelector('.opblock');
  const shown = (await page.$$eval('.opblock', (blocks) => blocks.map((block) => block.id))) as string[];

  t.deepEqual(
    shown.map((id) => id.split('-').at(-1)).sort(),
    v1Routes.map(({ operationId }) => operationId).sort(),
  );
  t.deepEqual(complaints, []);
  t.true(requests.every((url) => url.startsWith(`${http.url}/`) || url.startsWith('data:')));
});

test('the policy is strict, and only what the page loads is served', async (t) => {
  const page = await send(`${http.url}/docs`, 'GET');
  const policy = page.headers.get('content-security-policy') ?? '';

  t.is(page.status, 200);
  t.true(policy.startsWith("default-src 'none'; script-src 'self'; style-src 'self'; "));
  t.false(policy.includes('unsafe'));
  for (const [file, status] of [
    ['swagger-ui.css', 200],
    ['swagger-ui-bundle.js', 200],
    ['start.js', 200],
    ['page.css', 200],
    ['index.html', 404],
    ['swagger-ui-bundle.js.map', 404],
    ['package.json', 404],
    ['swagger-ui-init.js', 404],
    ['..%2fpackage.json', 404],
    ['%2e%2e/%2e%2e/package.json', 404],
    ['', 404],
  ] as const) {
    const answer = await send(`${http.url}/docs/assets/${file}`, 'GET');
    t.is(answer.status, status, file);
  }
});

test('the page and its parts are kept by their tags', async (t) => {
  for (const path of ['/docs', '/docs/assets/start.js']) {
    const first = await send(`${http.url}${path}`, 'GET');

    const second = await send(`${http.url}${path}`, 'GET', {
      headers: { 'if-none-match': first.headers.get('etag') ?? '' },
    });

    t.is(second.status, 304, path);
  }
  t.is((await send(`${http.url}/docs`, 'POST', { raw: '{}' })).status, 405);
});

test('public pages are limited by address: a page says so, and when to come back', async (t) => {
  const limited = await startHttp({ config: { pageRateLimitPerMinute: 3 } });
  t.teardown(() => limited.close());
  const code = await newParcel(limited, await newMerchant(limited), ['created']);

  const visit = () => send(`${limited.url}/track/${code}`, 'GET');
  let shown = 0;
  let refused = await visit();
  // The minute may end in between, once.
  for (; refused.status === 200 && shown < 7; shown++) refused = await visit();
  const api = await limited.send('GET', '/ping');

  t.is(refused.status, 429);
  t.true(shown >= 3 && shown <= 6, `${shown} pages`);
  t.true(Number(refused.headers.get('retry-after')) >= 1);
  t.true(refused.text.includes('<h1>Too many requests</h1>'));
  t.is(api.status, 200);
});
