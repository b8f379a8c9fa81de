import test from 'ava';
import type { HTTPRequest, Page } from 'puppeteer';
import { type HttpStack, startHttp } from '../../support/http.js';
import { type PageBrowser, startPageBrowser } from '../../support/page-browser.js';
import { recipientToken, setAppSecret } from '../../support/v1.js';

const demo = { clientId: '', clientSecret: '', licenseKey: '', appSecret: 'as_of_the_demo', userToken: '' };
/** An operation of each reference that its credentials open. */
const OPERATIONS = {
  v1: {
    hash: '#tag/recipient-app/GET/get_app_user',
    button: 'get /get_app_user)',
    path: '/api/get_app_user',
  },
  v2: { hash: '#tag/account/GET/account', button: 'get /account)', path: '/api/v2/account' },
} as const;
let http: HttpStack;
let bare: HttpStack;
let browser: PageBrowser;

test.before(async () => {
  [http, bare, browser] = await Promise.all([
    startHttp({ config: { demo } }),
    startHttp(),
    startPageBrowser(),
  ]);
  const account = await http.account();
  demo.clientId = account.headers['x-client-id'] ?? '';
  demo.clientSecret = account.headers['x-client-secret'] ?? '';
  demo.licenseKey = (await http.license(account.id)).key;
  await setAppSecret(http, demo.appSecret);
  // As the example has it.
  await recipientToken(http, '0501234567');
});
test.after.always(() => Promise.all([browser?.close(), http?.close(), bare?.close()]));

for (const [first, then] of [
  ['v1', 'v2'],
  ['v2', 'v1'],
] as const) {
  test.serial(
    `the reference of ${then} takes nothing from a visit of ${first}: its request is answered 200`,
    async (t) => {
      for (const version of [first, then]) {
        const { hash, path, button } = OPERATIONS[version];
        const { page, complaints } = await browser.open(`${http.url}/docs/${version}${hash}`, {
          width: 1280,
          height: 900,
        });
        await page.setCacheEnabled(false);
        await page.locator(buttonOf('Test Request', button)).click();
        const answered = page.waitForResponse((response) => new URL(response.url()).pathname === path);
        await page.locator(buttonOf('Send')).click();
        const answer = await answered;

        t.is(answer.status(), 200, `${version}: ${answer.url()}`);
        t.deepEqual(secretsIn(answer.request()), [], version);
        t.deepEqual(complaints, [], version);
        t.deepEqual(await kept(page), [], version);
        await page.close();
      }
    },
  );
}

test.serial(
  'the sample and the form of POST /shipments have an Idempotency-Key, another at each visit',
  async (t) => {
    const keys: (string | undefined)[] = [];
    for (let visit = 0; visit < 2; visit += 1) {
      const { page } = await browser.open(`${http.url}/docs/v2#tag/shipments/POST/shipments`, {
        width: 1280,
        height: 900,
      });
      await page.locator('::-p-xpath(//pre[contains(., "Idempotency-Key")])').wait();
      await page.locator(buttonOf('Test Request', 'post /shipments)')).click();
      const sent = page.waitForRequest(
        (request) => request.method() === 'POST' && new URL(request.url()).pathname === '/api/v2/shipments',
      );
      await page.locator(buttonOf('Send')).click();
      keys.push((await sent).headers()['idempotency-key']);
      await page.close();
    }

    t.regex(keys[0] ?? '', /^[0-9a-f-]{36}$/);
    t.regex(keys[1] ?? '', /^[0-9a-f-]{36}$/);
    t.not(keys[0], keys[1]);
  },
);

test.serial(
  'a reference without a demo: its fields are empty, one after the other, and keep nothing',
  async (t) => {
    for (const version of ['v1', 'v2', 'v1'] as const) {
      const { page, complaints } = await browser.open(`${bare.url}/docs/${version}`, {
        width: 1280,
        height: 900,
      });
      await page.locator('::-p-text(Introduction)').wait();
      const field = `::-p-xpath(//input[@type="text" or @type="password"])`;
      await page.locator(field).fill('a secret of mine');

      const text = (await page.evaluate('document.body.innerText')) as string;
      t.false(/No authentication selected|missing a type/.test(text), version);
      t.is(await page.$$eval('input', (all) => all.map((one) => one.placeholder).join('')), '', version);
      t.deepEqual(complaints, [], version);
      t.deepEqual(await kept(page), [], version);
      await page.close();
    }
  },
);

/** The demo's secrets in the address of a request. */
function secretsIn(request: HTTPRequest): string[] {
  const { clientSecret, appSecret } = demo;
  return [clientSecret, appSecret].filter((secret) => request.url().includes(secret));
}

/** Credentials that the page's host has in the browser, Scalar's name for them included. */
async function kept(page: Page): Promise<string[]> {
  const entries = (await page.evaluate(
    'Object.entries(localStorage).map((one) => one.join(": "))',
  )) as string[];
  return entries.filter((text) => /auth|secret/i.test(text));
}

/** The button whose text begins so, and has the rest. */
function buttonOf(start: string, rest = ''): string {
  return `::-p-xpath(//button[starts-with(normalize-space(.), "${start}") and contains(., "${rest}")])`;
}
