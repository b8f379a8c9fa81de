import test from 'ava';
import { createStoppedMails } from '../../../src/services/mails/stopped-mails.js';
import { startHttp } from '../../support/http.js';
import { send } from '../../support/http-send.js';
import { startPageBrowser, violationsOf } from '../../support/page-browser.js';
import { newMerchant, newParcel } from '../../support/parcels.js';

const [http, browser] = await Promise.all([
  startHttp({ config: { pageRateLimitPerMinute: 10_000 } }),
  startPageBrowser(),
]);
test.after.always(() => Promise.all([browser.close(), http.close()]));

/** A parcel to a recipient, the address of the page of its mails, and whether the merchant's mails are stopped. */
async function parcel(email: string | null = 'Dana@Example.test') {
  const merchant = await newMerchant(http);
  const code = await newParcel(http, merchant, ['created'], { recipient_email: email });
  const accountId = merchant.account.id;
  const isStopped = async (address = 'dana@example.test') =>
    await createStoppedMails(http.app).has({ accountId, address });
  return { url: `${http.url}/track/${code}/mails`, merchant, isStopped };
}

const ONE_CLICK = {
  raw: 'List-Unsubscribe=One-Click',
  headers: { 'content-type': 'application/x-www-form-urlencoded' },
};

test('GET /track/{}/mails: asks and changes nothing', async (t) => {
  const { url, isStopped } = await parcel();

  const page = await send(url, 'GET');
  const head = await send(url, 'HEAD');

  t.is(page.status, 200);
  t.is(head.status, 200);
  t.regex(page.text, /<h1>Stop the e-mails about parcels\?<\/h1>/);
  t.regex(page.text, /Acme Outdoor will no longer write/);
  t.false(/private|example\.test/i.test(page.text), page.text);
  t.is(page.headers.get('cache-control'), 'no-store');
  t.regex(page.headers.get('content-security-policy') ?? '', /form-action 'self'; frame-ancestors 'none'/);
  t.false(await isStopped());
});

test('POST /track/{}/mails: stops the merchant’s mails to the address, without one being kept', async (t) => {
  const { url, merchant, isStopped } = await parcel();
  const other = await parcel();

  const answer = await send(url, 'POST', ONE_CLICK);
  const again = await send(url, 'POST', ONE_CLICK);

  t.is(answer.status, 200);
  t.is(again.status, 200);
  t.regex(answer.text, /<h1>The e-mails are stopped<\/h1>/);
  t.true(await isStopped());
  t.false(await isStopped('noa@example.test'));
  t.false(await other.isStopped());
  const later = await newParcel(http, merchant, ['created'], { recipient_email: 'DANA@example.test' });
  t.regex((await send(`${http.url}/track/${later}/mails`, 'GET')).text, /The e-mails are stopped/);
  const rows = await http.db.select('SELECT * FROM mail_stops WHERE account_id = ?', [merchant.account.id]);
  t.deepEqual(
    rows.map((row) => Object.keys(row)),
    [['account_id', 'address_hash', 'created_at']],
  );
});

test('POST /track/{}/mails?again=1: lets them come again', async (t) => {
  const { url, isStopped } = await parcel();
  await send(url, 'POST', ONE_CLICK);

  const answer = await send(`${url}?again=1`, 'POST', ONE_CLICK);

  t.is(answer.status, 200);
  t.regex(answer.text, /Stop the e-mails about parcels\?/);
  t.false(await isStopped());
});

test('/track/{}/mails: 404 for a parcel without an address, an unknown and a hostile code; 405 for other methods', async (t) => {
  const { url } = await parcel(null);

  for (const one of [url, `${http.url}/track/0000000000/mails`, `${http.url}/track/%00/mails`]) {
    t.is((await send(one, 'GET')).status, 404, one);
    t.is((await send(one, 'POST', ONE_CLICK)).status, 404, one);
  }
  const answer = await send(url, 'PUT', { raw: '{}' });
  t.is(answer.status, 405);
  t.is(answer.headers.get('allow'), 'GET, HEAD, POST');
});

for (const language of ['en', 'he', 'ar']) {
  test(`/track/{}/mails in ${language}: stopped and resumed by clicks, usable by everyone`, async (t) => {
    const { url, isStopped } = await parcel();
    const { page, complaints } = await browser.open(url, { language });
    const titles: string[] = [];
    const look = async () => {
      titles.push(await page.$eval('h1', (heading) => heading.textContent ?? ''));
      t.deepEqual(await violationsOf(page), []);
    };
    const press = async () =>
      await Promise.all([page.waitForNavigation({ waitUntil: 'load' }), page.click('button')]);

    await look();
    await press();
    await look();
    t.true(await isStopped());
    await press();
    await look();

    t.false(await isStopped());
    t.is(new Set(titles).size, 2, titles.join());
    t.is(titles[0], titles[2]);
    t.is(await page.$eval('html', ({ lang }) => lang), language);
    t.deepEqual(
      complaints.filter((one) => !one.includes('ERR_')),
      [],
    );
    await page.close();
  });
}
