import test from 'ava';
import { type HttpStack, startHttp } from '../support/http.js';
import { startProvider, type TestProvider } from '../support/openid-provider.js';
import { type PageBrowser, startPageBrowser, violationsOf } from '../support/page-browser.js';
import { invite } from '../support/panel.js';
import { patient } from '../support/patience.js';
import { anyPort } from '../support/processes.js';

let http: HttpStack;
let provider: TestProvider;
let browser: PageBrowser;

test.before(async () => {
  const port = await anyPort();
  const baseUrl = `http://127.0.0.1:${port}`;
  provider = await startProvider(`${baseUrl}/panel/sign-in/callback`);
  http = await startHttp({ config: { port, baseUrl, panelProvider: provider.settings } });
  browser = await startPageBrowser();
});
test.after.always(async () => {
  await browser?.close();
  await http?.close();
  await provider?.close();
});

test('an invited merchant signs in at the provider, of another site, with clicks alone', async (t) => {
  t.timeout(patient(120_000));
  const { id } = await http.account();
  const { email } = await invite(http, 'staff', id);
  const opened = await browser.open(`${http.url}/panel/sign-in`, {
    language: 'he',
    width: 360,
    alsoAt: provider.settings.issuer,
    elsewhere: { contentType: 'text/css', body: '' },
  });
  const { page } = opened;
  // The provider also has pages that go on by themselves, so that one click can lead through several.
  const click = async (selector: string, to: string) => {
    await page.click(selector);
    await page.waitForSelector(to);
  };
  const signIn = async (login: string, to: string) => {
    await page.type('[name=login]', login);
    await page.type('[name=password]', 'any');
    await click('button[type=submit]', to);
  };
  const look = async (name: string) => {
    const folder = process.env.PANEL_PICTURES;
    if (folder !== undefined) await page.screenshot({ path: `${folder}/${name}.png`, fullPage: true });
  };
  await look('p1-sign-in');
  t.deepEqual(await violationsOf(page), []);

  await click('main a.button', '[name=login]');
  t.true(page.url().startsWith(provider.settings.issuer));
  await signIn('stranger@elsewhere.example', '[role=alert] ~ form button');
  await look('p2-stranger');
  t.is(await page.$eval('html', (html) => html.getAttribute('lang')), 'he');
  t.deepEqual(await violationsOf(page), []);

  await click('main a.button', '[name=login]');
  await signIn(email, '.me form button');
  t.is(page.url(), `${http.url}/panel/a/${id}/shipments`);
  t.is(await page.$eval('html', (html) => html.getAttribute('lang')), 'he');

  await click('.me form button', '[name=email]');
  await page.goto(`${http.url}/panel/sign-in`);
  await click('main a.button', '[name=login]');
  t.true(
    page.url().startsWith(provider.settings.issuer),
    'the provider asks again, though it knows who it is',
  );
  await signIn(email, '.me form button');
  t.is(page.url(), `${http.url}/panel/a/${id}/shipments`);
  t.deepEqual(
    opened.complaints.filter((text) => !text.includes('status of 403')),
    [],
  );
});
