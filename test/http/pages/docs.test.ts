import test from 'ava';
import type { Page } from 'puppeteer';
import { readLibrary } from '../../../tools/docs/library.js';
import { type HttpStack, startHttp } from '../../support/http.js';
import { send } from '../../support/http-send.js';
import { type PageBrowser, startPageBrowser, violationsOf } from '../../support/page-browser.js';
import { newMerchant, newParcel } from '../../support/parcels.js';

/** Bytes of a page without its parts. */
const MAX_PAGE = 300 * 1024;
const GUIDES = readLibrary('all').sections.flatMap(({ guides }) => guides.map(({ path }) => path));
const FRAMED = ['/docs', '/docs/webhooks', ...GUIDES];
const WIDTHS = [360, 1280];
/** The roles and names inside a reference are Scalar's own. */
const OURS_OF_A_REFERENCE = ['color-contrast', 'landmark-no-duplicate-main', 'landmark-main-is-top-level'];
const OFTEN = { pageRateLimitPerMinute: 100_000, docs: 'all' } as const;
let http: HttpStack;
let browser: PageBrowser;

test.before(async () => {
  [http, browser] = await Promise.all([startHttp({ config: OFTEN }), startPageBrowser()]);
});
test.after.always(() => Promise.all([browser?.close(), http?.close()]));

test.serial('every page is accessible, fits a phone, asks no other host and keeps its policy', async (t) => {
  for (const path of FRAMED) {
    for (const width of WIDTHS) {
      const { page, requests, complaints } = await open(path, { width });

      await shoot(page, path, width);
      const overflow = await page.evaluate('document.documentElement.scrollWidth - window.innerWidth');
      t.true((overflow as number) <= 0, `${path} is ${overflow as number} px too wide at ${width}`);
      t.deepEqual(complaints, [], path);
      t.true(
        requests.every((url) => url.startsWith(`${http.url}/`)),
        path,
      );
      t.deepEqual(await violationsOf(page), [], `${path} at ${width}`);
      await page.close();
    }
  }
});

test.serial('a dark page is accessible', async (t) => {
  for (const path of ['/docs', '/docs/webhooks']) {
    const { page } = await open(path, { width: 1280, dark: true });

    await shoot(page, path, 1281);
    t.deepEqual(await violationsOf(page), [], path);
    await page.close();
  }
});

test.serial('pages are small, strict, and kept by their tags', async (t) => {
  for (const path of [...FRAMED, '/docs/v1', '/docs/v2']) {
    const first = await send(`${http.url}${path}`, 'GET');
    const again = await send(`${http.url}${path}`, 'GET', {
      headers: { 'if-none-match': first.headers.get('etag') ?? '' },
    });
    const policy = first.headers.get('content-security-policy') ?? '';

    t.is(first.status, 200, path);
    t.true(first.text.length < MAX_PAGE, path);
    t.is(again.status, 304, path);
    t.true(policy.startsWith("default-src 'none'; script-src 'self'; style-src 'self'"), path);
    t.is(policy.includes('unsafe-inline'), !FRAMED.includes(path), path);
    t.false(policy.includes('unsafe-eval'), path);
  }
  t.is((await send(`${http.url}/docs`, 'POST', { raw: '{}' })).status, 405);
  t.is((await send(`${http.url}/docs/assets/docs.css`, 'POST', { raw: '{}' })).status, 405);
});

test.serial('every link of a page leads somewhere, to the heading that it names', async (t) => {
  const ids = new Map<string, Set<string>>();
  const links: [string, string][] = [];
  for (const path of [...FRAMED, '/docs/v1', '/docs/v2']) {
    const { text } = await send(`${http.url}${path}`, 'GET');
    ids.set(path, new Set([...text.matchAll(/ id="([^"]+)"/g)].map(([, id = '']) => id)));
    for (const [, to = ''] of text.matchAll(/(?:href|src)="([^"]*)"/g)) links.push([path, to]);
  }

  for (const [from, to] of links.filter(([, each]) => !each.startsWith('http'))) {
    const url = new URL(to, `${http.url}${from}`);
    const known = ids.get(url.pathname);
    if (known === undefined) {
      t.is((await send(url.href, 'HEAD')).status, 200, `${from}: ${to}`);
    } else if (url.hash !== '') {
      t.true(known.has(decodeURIComponent(url.hash.slice(1))), `${from}: ${to}`);
    }
  }
});

test.serial('/ leads a browser to the documentation, and a program nowhere', async (t) => {
  const person = await fetch(`${http.url}/`, { headers: { accept: 'text/html' }, redirect: 'manual' });
  const program = await send(`${http.url}/`, 'GET', { headers: { accept: '*/*' } });

  t.is(person.status, 302);
  t.is(person.headers.get('location'), '/docs');
  t.is(program.status, 404);
});

test.serial('the contract of v1 is shown without the tests that hold it', async (t) => {
  const { text } = await send(`${http.url}/docs/v1-contract`, 'GET');

  t.true(text.includes('Found by its <code>key</code>, letter by letter'));
  t.false(/\.test\.ts|<th[^>]*>test</.test(text));
});

test.serial('an unknown page is a page for a browser, and JSON for a program', async (t) => {
  const person = await send(`${http.url}/docs/guides/none`, 'GET', { headers: { accept: 'text/html' } });
  const program = await send(`${http.url}/docs/guides/none`, 'GET', { headers: { accept: '*/*' } });

  t.deepEqual([person.status, program.status], [404, 404]);
  t.regex(person.headers.get('content-type') ?? '', /^text\/html/);
  t.regex(person.text, /<h1>No such page<\/h1>/);
  t.is(program.body.error.code, 'not_found');
});

test.serial('DOCS: integrators read what is theirs, and with none there is nothing', async (t) => {
  const [theirs, none] = await Promise.all([
    startHttp({ config: { docs: 'integrators' } }),
    startHttp({ config: { docs: 'none' } }),
  ]);
  t.teardown(() => Promise.all([theirs.close(), none.close()]));
  const statusesAt = async (url: string) => {
    const paths = [
      '',
      '/v2',
      '/webhooks',
      '/guides/labels',
      '/operate',
      '/configure',
      '/architecture',
      '/decisions',
    ];
    return await Promise.all(paths.map(async (path) => (await send(`${url}/docs${path}`, 'GET')).status));
  };

  t.deepEqual(await statusesAt(theirs.url), [200, 200, 200, 200, 404, 404, 404, 404]);
  t.deepEqual(new Set(await statusesAt(none.url)), new Set([404]));
  const front = await send(`${theirs.url}/docs`, 'GET');
  t.false(/operate|configure|npm start/.test(front.text));
  t.true(front.text.includes('/docs/guides/labels'));
  t.is((await fetch(`${none.url}/`, { headers: { accept: 'text/html' }, redirect: 'manual' })).status, 404);
});

test.serial('only what pages load is served', async (t) => {
  for (const [file, status] of [
    ['docs.css', 200],
    ['docs.js', 200],
    ['scalar.js', 200],
    ['index.html', 404],
    ['package.json', 404],
    ['..%2fpackage.json', 404],
    ['%2e%2e/%2e%2e/package.json', 404],
    ['', 404],
  ] as const) {
    t.is((await send(`${http.url}/docs/assets/${file}`, 'GET')).status, status, file);
  }
});

test.serial(
  'the script makes tabs of languages and remembers the choice; without it all are shown',
  async (t) => {
    const { page } = await open('/docs/webhooks', { width: 1280 });
    const shown = () => page.$$eval('.tabs .code', (all) => all.map((one) => !one.hasAttribute('hidden')));

    t.deepEqual(await shown(), [true, false, false]);
    await page.click('.tabs [role=tab]:nth-child(2)');
    t.deepEqual(await shown(), [false, true, false]);
    await page.keyboard.press('ArrowRight');
    t.deepEqual(await shown(), [false, false, true]);
    await page.reload({ waitUntil: 'networkidle0' });
    t.deepEqual(await shown(), [false, false, true]);
    t.is(await page.$eval('.copy', (button) => button.textContent), 'Copy');
    await page.setJavaScriptEnabled(false);
    await page.reload({ waitUntil: 'networkidle0' });
    t.deepEqual(await shown(), [true, true, true]);
    await page.close();
  },
);

for (const [path, source] of [
  ['/docs/v2', '/api/v2/openapi.json'],
  ['/docs/v1', '/api/openapi.json'],
] as const) {
  test.serial(
    `${path} shows its document, asks no other host, and breaks no rule of its policy`,
    async (t) => {
      const { page, requests, complaints } = await open(path, { width: 1280 });

      await page.locator('::-p-text(Introduction)').wait();
      await shoot(page, path, 1280);
      const { tags } = JSON.parse((await send(`${http.url}${source}`, 'GET')).text);
      const shown = (await page.evaluate('document.body.textContent')) as string;

      for (const { name } of tags) t.true(shown.includes(name), name);
      t.deepEqual(complaints, []);
      t.deepEqual(
        requests.filter((url) => !url.startsWith(`${http.url}/`) && !url.startsWith('data:')),
        [],
      );
      await page.close();
    },
  );
}

test.serial('the references can be read, by day and by night', async (t) => {
  for (const dark of [false, true]) {
    const { page } = await open('/docs/v2', { width: 1280, dark });

    await page.locator('::-p-text(Introduction)').wait();
    await shoot(page, '/docs/v2', dark ? 1282 : 1281);
    t.deepEqual(await violationsOf(page, OURS_OF_A_REFERENCE), [], dark ? 'dark' : 'light');
    await page.close();
  }
});

test.serial(
  'in the demo the form of POST /shipments is answered 201 as it stands, again after a reload',
  async (t) => {
    const demo = { clientId: '', clientSecret: '', licenseKey: '', appSecret: 'as_1', userToken: '' };
    const shop = await startHttp({ config: { demo } });
    t.teardown(() => shop.close());
    const account = await shop.account();
    const license = await shop.license(account.id);
    demo.clientId = account.headers['x-client-id'] ?? '';
    demo.clientSecret = account.headers['x-client-secret'] ?? '';
    demo.licenseKey = license.key;
    const { page } = await browser.open(`${shop.url}/docs/v2#tag/shipments/POST/shipments`, {
      width: 1280,
      height: 900,
    });
    t.teardown(() => page.close());

    const statuses: number[] = [];
    for (const _ of ['first', 'reloaded']) {
      await page.locator(button('Test Request', 'post /shipments)')).click();
      const answered = page.waitForResponse(
        (response) =>
          response.url() === `${shop.url}/api/v2/shipments` && response.request().method() === 'POST',
      );
      await page.locator(button('Send')).click();
      statuses.push((await answered).status());
      await page.reload({ waitUntil: 'networkidle0' });
    }

    t.deepEqual(statuses, [201, 201]);
    t.is(new Set(shop.created.map(({ order }) => order.id)).size, 2, 'each time another order');
  },
);

test.serial('the references show no credentials unless there is a demo', async (t) => {
  const demo = {
    clientId: 'ci_1',
    clientSecret: 'sk_1',
    licenseKey: 'demo-run',
    appSecret: 'as_1',
    userToken: '',
  };
  const shown = await startHttp({ config: { demo } });
  t.teardown(() => shown.close());

  const without = await send(`${http.url}/docs/v2`, 'GET');
  const withThem = await send(`${shown.url}/docs/v2`, 'GET');

  t.false(without.text.includes('data-client-secret'));
  t.true(withThem.text.includes('data-client-secret="sk_1"'));
});

test.serial('public pages are limited by address: a page says so, and when to come back', async (t) => {
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

async function open(path: string, options: { width: number; dark?: boolean }) {
  return await browser.open(`${http.url}${path}`, { height: 900, ...options });
}

async function shoot(page: Page, path: string, width: number): Promise<void> {
  const folder = process.env.SCREENSHOTS;
  if (folder === undefined) return;
  const name = path.slice(1).replaceAll('/', '-');
  await page.screenshot({ path: `${folder}/${name}-${width}.png`, fullPage: width < 1000 });
}

/** The button whose text begins so, and has the rest. */
function button(start: string, rest = ''): string {
  return `::-p-xpath(//button[starts-with(normalize-space(.), "${start}") and contains(., "${rest}")])`;
}
