import test from 'ava';
import { startHttp } from '../../support/http.js';
import { startPageBrowser } from '../../support/page-browser.js';
import { askPanel, codeOf, cookieOf, follow, PASSWORD, signUp } from '../../support/panel.js';
import { retype, textOf } from '../../support/panel-pages.js';
import { patient } from '../../support/patience.js';

const http = await startHttp({ config: { baseUrl: 'http://127.0.0.1' } });
const browser = await startPageBrowser();
test.after.always(() => Promise.all([browser.close(), http.close()]));

test('GET /panel/attention: the sign-in leads back to it when there is no session', async (t) => {
  const { email, secret } = await signUp(http, 'operator');

  const { status, to } = await askPanel(`${http.url}/panel/attention?carrier=run&notice=decided`);

  t.deepEqual([status, to], [303, '/panel/sign-in?to=%2Fpanel%2Fattention%3Fcarrier%3Drun']);
  const { text } = await askPanel(`${http.url}${to}`);
  const [, action = ''] = /<form method="post" action="([^"]+)"/.exec(text) ?? [];
  t.regex(text, /href="[^"]*lang=he&amp;to=%2Fpanel%2Fattention/, 'in another language too');
  const form = { email, password: PASSWORD, code: codeOf(secret, 1) };
  const signedIn = await askPanel(`${http.url}${action.replaceAll('&amp;', '&')}`, { form });
  t.is(signedIn.to, '/panel/attention?carrier=run');
});

test('POST /panel/sign-in: leads to the first page when it was asked to lead elsewhere', async (t) => {
  const { email, secret } = await signUp(http, 'operator');
  const places = [
    'https://evil.example/panel/x',
    '//evil.example/panel/',
    '/\\evil.example/panel/',
    '/panel/../docs',
    'panel/attention',
    '/panel/sign-out',
    '/panel/live/overview',
    `/panel/${'x'.repeat(2000)}`,
  ];
  const codes = [codeOf(secret, 1)];
  const [code = ''] = codes;
  const form = { email, password: PASSWORD, code };
  for (const place of places) {
    const { text } = await askPanel(`${http.url}/panel/sign-in?to=${encodeURIComponent(place)}`);
    t.notRegex(text, /action="[^"]*to=/, place);
  }

  const to = encodeURIComponent('//evil.example/panel/');
  const signedIn = await askPanel(`${http.url}/panel/sign-in?to=${to}`, { form });

  t.is(signedIn.to, '/panel');
});

test.serial(
  'POST /panel/a/{account}/notifications/templates/new: what was typed is sent after a new sign-in when the session has ended',
  async (t) => {
    t.timeout(patient(120_000));
    const { id } = await http.account();
    await http.license(id);
    const cookie = async () => ((await cookieOf(http, 'owner', id)).split('; ')[0] ?? '').split('=');
    const { page } = await browser.open(`${http.url}/panel/sign-in`, { width: 1280, language: 'en' });
    const signIn = async () => {
      const [name = '', value = ''] = await cookie();
      await page.setCookie({ name, value, url: http.url });
    };
    await signIn();
    await page.goto(`${http.url}/panel/a/${id}/notifications/templates/new`, { waitUntil: 'load' });
    const body = 'A line of "text" & <b>more</b>\n\nThe end';
    await retype(page, '[name=subject]', 'Subject');
    await page.$eval(
      '[name=body]',
      (field, text) => ((field as unknown as { value: string }).value = text),
      body,
    );
    await http.db.run(
      'DELETE s FROM panel_sessions s JOIN panel_users u ON u.id = s.user_id WHERE u.account_id = ?',
      [id],
    );

    const submit = 'main form:has([name=subject]) button:not([formaction])';
    const [response] = await Promise.all([page.waitForNavigation(), page.click(submit)]);

    t.is(response?.status(), 401);
    t.regex(await textOf(page), /session has ended[\s\S]*nothing that you have entered is lost/);
    t.is(await page.$eval('a[target=_blank]', (link) => link.getAttribute('href')), '/panel/sign-in');
    t.is(await page.$('footer'), null, 'a link to another language would lose the form');
    await follow(page, 'main form button');
    t.regex(await textOf(page), /session has ended/, 'sent too early it is asked for again');
    await signIn();
    await follow(page, 'main form button');
    const rows = await http.db.select(
      'SELECT subject, body FROM notification_templates ORDER BY id DESC LIMIT 1',
    );
    t.is(rows[0]?.subject, 'Subject');
    t.is(String(rows[0]?.body).replaceAll('\r\n', '\n'), body);
    await page.close();
  },
);

test.serial('GET /panel/overview: script keeps its page, and says that the session has ended', async (t) => {
  t.timeout(patient(120_000));
  const { page } = await browser.open(`${http.url}/panel/sign-in`, { width: 1280, language: 'en' });
  const [first = ''] = (await cookieOf(http, 'operator')).split('; ');
  const [name = '', value = ''] = first.split('=');
  await page.setCookie({ name, value, url: http.url });
  await page.goto(`${http.url}/panel/overview`, { waitUntil: 'load' });
  const before = await textOf(page, '#now');
  await page.deleteCookie({ name, url: http.url });

  await page.$eval('#now', (part) => part.dispatchEvent(new Event('again')));
  await page.waitForFunction(
    "document.getElementById('unanswered').textContent.includes('session has ended')",
  );

  t.is(await textOf(page, '#now'), before);
  t.is(await page.$eval('#unanswered a', (link) => link.getAttribute('target')), '_blank');
  await page.setCookie({ name, value, url: http.url });
  await page.waitForFunction("document.getElementById('unanswered').textContent === ''");
  await page.close();
});
