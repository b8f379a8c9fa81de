import test from 'ava';
import type { Page } from 'puppeteer';
import { type HttpStack, startHttp } from '../../support/http.js';
import { type PageBrowser, startPageBrowser } from '../../support/page-browser.js';
import { setAppSecret, userToken } from '../../support/v1.js';

const demo = { clientId: '', clientSecret: '', licenseKey: '', appSecret: 'as_of_the_demo', userToken: '' };
let http: HttpStack;
let browser: PageBrowser;

test.before(async () => {
  [http, browser] = await Promise.all([startHttp({ config: { demo } }), startPageBrowser()]);
  const account = await http.account();
  demo.clientId = account.headers['x-client-id'] ?? '';
  demo.clientSecret = account.headers['x-client-secret'] ?? '';
  demo.licenseKey = (await http.license(account.id)).key;
  demo.userToken = await userToken(http, account.id);
  await setAppSecret(http, demo.appSecret);
});
test.after.always(() => Promise.all([browser?.close(), http?.close()]));

for (const [tag, path] of [
  ['shipping', '/shipping/open_new_order'],
  ['shipping', '/shipping/get_shipping_status'],
  ['shipping', '/shipping/order'],
  ['licenses', '/licenses'],
  ['recipient-app', '/create_app_user'],
] as const) {
  test.serial(`in the demo the form of v1's ${path} succeeds as it stands, and asks for JSON`, async (t) => {
    const { page } = await browser.open(`${http.url}/docs/v1#tag/${tag}/POST${path}`, {
      width: 1280,
      height: 900,
    });
    t.teardown(() => page.close());

    await page.locator(button('Test Request', `post ${path})`)).click();
    const answered = page.waitForResponse((answer) => answer.url() === `${http.url}/api${path}`);
    await page.locator(button('Send')).click();
    const answer = await answered;

    t.is(answer.status(), 200, await answer.text());
    t.is(answer.request().headers().accept, 'application/json');
    t.true(await shows(page, 'Accept: application/json'));
  });
}

function shows(page: Page, text: string): Promise<unknown> {
  return page.evaluate(`document.body.textContent.includes(${JSON.stringify(text)})`);
}

/** The button whose text begins so, and has the rest. */
function button(start: string, rest: string = ''): string {
  return `::-p-xpath(//button[starts-with(normalize-space(.), "${start}") and contains(., "${rest}")])`;
}
