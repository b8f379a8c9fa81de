import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import test from 'ava';
import { deleteToken } from '../../../src/db/queries/accounts/access-tokens.js';
import { openTicket, sealTicket } from '../../../src/http/pages/store-frame/ticket.js';
import { type HttpStack, startHttp } from '../../support/http.js';
import { send } from '../../support/http-send.js';
import { type PageBrowser, startPageBrowser, violationsOf } from '../../support/page-browser.js';
import { recipientToken, userToken } from '../../support/v1.js';

const STORE = 'shop.example';
let http: HttpStack;
let browser: PageBrowser;

test.before(async () => {
  [http, browser] = await Promise.all([
    startHttp({ config: { pageRateLimitPerMinute: 100_000 } }),
    startPageBrowser(),
  ]);
});
test.after.always(() => Promise.all([browser?.close(), http?.close()]));

/** A merchant with a parcel of an order, and the token of its plugin. */
async function merchant(orderId: string) {
  const { id } = await http.account();
  const license = await http.license(id);
  const parcel = await http.shipment(id, license, {
    orderId,
    columns: { tracking_code: `T${orderId}`, recipient_name: 'דנה לוי' },
  });
  return { id, license, parcel, token: await userToken(http, id) };
}

/** The address that the plugin opens, as it writes it. */
function pluginAddress(token: string, store = STORE, more = ''): string {
  const back = encodeURIComponent(`https://${store}/wp-admin/admin.php?page=shipping`);
  return `${http.url}/wp/app?%20store=${store}&token=${encodeURIComponent(token)}&return_url=${back}${more}`;
}

const visit = (url: string) => fetch(url, { redirect: 'manual' });

test('GET /wp/app: a token leads on to a ticket, is in no further address, log or page, and shows the account’s parcels to its store alone', async (t) => {
  const own = await merchant('71001');
  await merchant('71002');

  const entry = await visit(pluginAddress(own.token));
  const to = entry.headers.get('location') ?? '';
  const page = await visit(new URL(to, http.url).href);
  const text = await page.text();

  const [, secret = ''] = own.token.split('|');
  t.is(entry.status, 303);
  t.regex(to, /^\/wp\/app\?ticket=[\w-]+$/);
  t.is(page.status, 200);
  t.true(text.includes('T71001') && text.includes('דנה לוי'));
  t.false(text.includes('T71002'));
  for (const place of [to, text, ...http.log]) t.false(place.includes(secret) || place.includes('ticket=e'));
  t.false(http.log.some((line) => line.includes(STORE)));
  const policy = page.headers.get('content-security-policy') ?? '';
  t.regex(policy, /frame-ancestors https:\/\/shop\.example:\* http:\/\/shop\.example:\*$/);
  t.false(policy.includes('unsafe'));
  t.false(page.headers.has('x-frame-options'));
  for (const answer of [entry, page]) {
    t.is(answer.headers.get('referrer-policy'), 'no-referrer');
    t.is(answer.headers.get('cache-control'), 'no-store');
    t.is(answer.headers.getSetCookie().length, 0);
  }
});

test('GET /wp/app: 401 and no parcels for no token, a wrong one, a recipient’s, and a ticket that has ended or whose token was revoked', async (t) => {
  const { token } = await merchant('71003');
  const { appKeys } = http.config;
  const tokenId = Number(token.split('|')[0]);
  const address = (ticket: string) => `${http.url}/wp/app?ticket=${ticket}`;
  const old = sealTicket({ tokenId, store: STORE }, appKeys, Date.now() - 13 * 3_600_000);
  const good = sealTicket({ tokenId, store: STORE }, appKeys);
  const before = await visit(address(good));
  const refused = [
    pluginAddress(''),
    pluginAddress('0'),
    pluginAddress(`${token}x`),
    pluginAddress((await recipientToken(http, '0521234567')).token),
    address(old),
    address(`${good}A`),
    address(sealTicket({ tokenId: 999_999, store: STORE }, appKeys)),
  ];

  for (const url of refused) {
    const page = await visit(url);
    t.is(page.status, 401, url);
    t.false((await page.text()).includes('T71003'), url);
  }
  await deleteToken(http.db, tokenId);

  t.is(before.status, 200);
  t.is((await visit(address(good))).status, 401);
  t.is(openTicket(good, appKeys)?.store, STORE);
  const ended = await visit(address(old));
  t.regex(ended.headers.get('content-security-policy') ?? '', /frame-ancestors https:\/\/shop\.example:\*/);
});

test('GET /wp/app: a store that is no host name may not show it', async (t) => {
  const { token } = await merchant('71004');

  for (const store of ['*', "'self'", 'a.example;script-src *', 'a.example/b', 'a@b', '[::1]', '']) {
    const page = await visit(pluginAddress(token, encodeURIComponent(store)));

    t.is(page.status, 401, store);
    t.regex(page.headers.get('content-security-policy') ?? '', /frame-ancestors 'none'$/, store);
  }
});

test('GET /wp/app: wrong tokens count as failed authentications of their address; right ones still get in', async (t) => {
  const limited = await startHttp({ config: { authFailuresPerMinute: 3 } });
  t.teardown(() => limited.close());
  const { id } = await limited.account();
  const token = await userToken(limited, id);
  const ask = async (text: string) =>
    (await visit(`${limited.url}/wp/app?%20store=${STORE}&token=${encodeURIComponent(text)}`)).status;

  const statuses = [];
  for (let wrong = 0; wrong < 8; wrong += 1) statuses.push(await ask(`${wrong}|${'x'.repeat(40)}`));

  t.true(statuses.includes(429), statuses.join());
  t.is(await ask(token), 303);
});

test('POST /wp/app/labels: prints what is ticked or waits, of the account alone', async (t) => {
  const own = await merchant('71005');
  const foreign = await merchant('71006');
  const ticket = sealTicket({ tokenId: Number(own.token.split('|')[0]), store: STORE }, http.config.appKeys);
  const print = (form: Record<string, string>) =>
    fetch(`${http.url}/wp/app/labels`, {
      method: 'POST',
      redirect: 'manual',
      body: new URLSearchParams({ ticket, ...form }),
    });

  const ticked = await print({ uuid: own.parcel.uuid });
  const waiting = await print({ all: 'first' });

  t.is(ticked.status, 303);
  t.regex(ticked.headers.get('location') ?? '', /^\/shipping\/label\//);
  t.is(waiting.status, 303);
  t.is((await print({ uuid: foreign.parcel.uuid })).status, 422);
  t.is((await print({})).status, 422);
  t.is((await print({ uuid: own.parcel.uuid, ticket: 'x' })).status, 401);
});

for (const language of ['en', 'he'] as const) {
  for (const width of [1280, 360]) {
    test.serial(
      `the frame in a store’s page, ${language} at ${width} px: chosen orders with their state; another site shows nothing`,
      async (t) => {
        const own = await merchant(`8${width}1`);
        await http.shipment(own.id, own.license, { orderId: '8005', columns: { tracking_code: 'T8005' } });
        const chosen = `#/orders?select_ids=8${width}1&select_ids=9999&action=bulk_ship`;
        const frame = `${pluginAddress(own.token, '127.0.0.1', `&lang=${language}`)}${chosen}`;
        const store = createServer((_req, res) => {
          res.setHeader('content-type', 'text/html; charset=utf-8');
          res.end(
            `<!doctype html><html lang="en"><meta name="viewport" content="width=device-width, initial-scale=1"><title>Admin</title><link rel="icon" href="data:,"><h1>Admin</h1>
<iframe title="Shipping" src="${frame.replaceAll('&', '&amp;')}" style="border:0;width:100%;height:1400px"></iframe>`,
          );
        });
        await new Promise<void>((resolve) => store.listen(0, resolve));
        t.teardown(() => store.close());
        const { port } = store.address() as AddressInfo;
        const options = { width, height: 1500, alsoAt: http.url };

        const { page, requests, complaints } = await browser.open(`http://127.0.0.1:${port}/`, options);
        const shown = await page.waitForFrame((one) => one.url().includes('select_ids='));
        await shown.waitForSelector('#chosen');

        const rows = await shown.$$eval('#chosen tbody tr', (all) => all.map((row) => row.textContent ?? ''));
        t.is(rows.length, 2);
        t.true(rows[0]?.includes(`T8${width}1`));
        t.regex(rows[1] ?? '', language === 'he' ? /אין עדיין משלוח/ : /No parcel yet/);
        t.is(await shown.$eval('html', (html) => html.dir), language === 'he' ? 'rtl' : 'ltr');
        const book = await shown.$eval('#chosen tbody tr:nth-child(2) a', (a) => a.getAttribute('href'));
        t.is(book, `/panel/a/${own.id}/shipments/new?order=9999`);
        const overflow = await shown.evaluate('document.documentElement.scrollWidth - window.innerWidth');
        t.true((overflow as number) <= 0, `${overflow as number} px too wide`);
        t.deepEqual(complaints, []);
        t.deepEqual(requests.filter((url) => url.includes('token=')).length, 1);
        const folder = process.env.SCREENSHOTS;
        if (folder !== undefined) {
          await page.screenshot({ path: `${folder}/store-frame-${language}-${width}.png` });
        }
        await page.close();
        const alone = await browser.open(shown.url(), options);
        t.deepEqual(await violationsOf(alone.page), []);
        await alone.page.close();

        const other = await browser.open(`http://localhost:${port}/`, options);
        const [, inside] = other.page.frames();
        t.is(await inside?.$('#chosen').catch(() => null), null);
        t.regex(other.complaints.join(' '), /frame-ancestors/);
        await other.page.close();
      },
    );
  }
}

test('GET /wp/app: without the panel there is no frame', async (t) => {
  const bare = await startHttp({ config: { panel: false } });
  t.teardown(() => bare.close());

  t.is((await send(`${bare.url}/wp/app?ticket=x`, 'GET')).status, 404);
});
