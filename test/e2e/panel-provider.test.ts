import test from 'ava';
import { type HttpStack, startHttp } from '../support/http.js';
import { startProvider, type TestProvider } from '../support/openid-provider.js';
import { type PageBrowser, startPageBrowser, violationsOf } from '../support/page-browser.js';
import { follow, invite } from '../support/panel.js';
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
  const signIn = async (login: string) => {
    await page.type('[name=login]', login);
    await page.type('[name=password]', 'any');
    await follow(page, 'button[type=submit]');
  };
  const look = async (name: string) => {
    const folder = process.env.PANEL_PICTURES;
    if (folder !== undefined) await page.screenshot({ path: `${folder}/${name}.png`, fullPage: true });
  };
  await look('p1-sign-in');
  t.deepEqual(await violationsOf(page), []);

  await follow(page, 'main a.button');
  t.true(page.url().startsWith(provider.settings.issuer));
  await signIn('stranger@elsewhere.example');
  await look('p2-stranger');
  t.truthy(await page.$('[role=alert]'));
  t.is(await page.$eval('html', (html) => html.getAttribute('lang')), 'he');
  t.deepEqual(await violationsOf(page), []);

  await follow(page, 'main a.button');
  await signIn(email);
  t.is(page.url(), `${http.url}/panel/a/${id}/shipments`);
  t.is(await page.$eval('html', (html) => html.getAttribute('lang')), 'he');

  await follow(page, '.me form button');
  await follow(page, 'main a.button');
  t.is(page.url(), `${http.url}/panel/a/${id}/shipments`, 'the provider still knows who it is');
  t.deepEqual(
    opened.complaints.filter((text) => !text.includes('status of 403')),
    [],
  );
});
