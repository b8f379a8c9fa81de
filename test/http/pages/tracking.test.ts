import test from 'ava';
import { pino } from 'pino';
import { openDatabase } from '../../../src/db/database.js';
import { accentOn } from '../../../src/domain/brand-color.js';
import { publicCarrierName } from '../../../src/domain/recipient-words/carrier-names.js';
import { SHIPPING_STATUSES } from '../../../src/domain/statuses.js';
import { startServer } from '../../../src/http/server.js';
import { createWeb } from '../../../src/http/web.js';
import { type HttpStack, startHttp } from '../../support/http.js';
import { send } from '../../support/http-send.js';
import { type PageBrowser, startPageBrowser, violationsOf } from '../../support/page-browser.js';
import { newMerchant, newParcel } from '../../support/parcels.js';

const LOGO = {
  contentType: 'image/svg+xml',
  body: '<svg xmlns="http://www.w3.org/2000/svg" width="120" height="40"><rect width="120" height="40" fill="#e4572e"/></svg>',
};
const ON_THE_WAY = ['created', 'collected', 'in_transit', 'in_transit', 'out_for_delivery'];

let http: HttpStack;
let browser: PageBrowser;
let merchant: Awaited<ReturnType<typeof newMerchant>>;

test.before(async () => {
  [http, browser] = await Promise.all([
    startHttp({ config: { pageRateLimitPerMinute: 10_000 } }),
    startPageBrowser(),
  ]);
  merchant = await newMerchant(http);
});
test.after.always(() => Promise.all([browser?.close(), http?.close()]));

const get = (code: string, headers: Record<string, string> = {}, query = '') =>
  send(`${http.url}/track/${code}${query}`, 'GET', { headers });

/** The text between the first pair of such tags. */
function inside(tag: string, text: string): string {
  return new RegExp(`<${tag}[^>]*>([^<]*)</${tag}>`).exec(text)?.[1] ?? '';
}

test('a page shows status, history, city and the merchant, and nothing of the recipient', async (t) => {
  const code = await newParcel(http, merchant, ON_THE_WAY, { tracking_code: 'T-77', packages: 3 });

  const page = await get(code);

  t.is(page.status, 200);
  t.is(page.headers.get('content-type'), 'text/html; charset=utf-8');
  t.is(inside('h1', page.text), 'Out for delivery');
  t.is(inside('title', page.text), 'Out for delivery · Acme Outdoor');
  for (const shown of [
    'T-77',
    // The company of the license, not the protocol that it speaks.
    '<dd><bdi>Run Haifa</bdi></dd>',
    'Haifa',
    '>3<',
    'help@acme.test',
    'tel:031234567',
    'https://acme.test/help',
  ])
    t.true(page.text.includes(shown), shown);
  t.true(page.text.includes('https://wa.me/972521234567'));
  t.is(page.text.match(/<li><strong>/g)?.length, 4, 'equal neighbours are one step');
  t.regex(page.text, /14 November 2026 at 09:05/);
  t.false(page.text.includes('private'), page.text);
  t.false(/<script|onload=|javascript:/i.test(page.text));
});

test('every status has words in every language, and ours of trouble is not shown', async (t) => {
  for (const { code: status } of SHIPPING_STATUSES) {
    const code = await newParcel(http, merchant, [status]);
    const titles = new Set<string>();
    for (const language of ['en', 'he', 'ar']) {
      const page = await get(code, { 'accept-language': language });
      t.is(page.status, 200, status);
      titles.add(inside('h1', page.text));
      t.false(page.text.includes('undefined'));
    }
    t.is(titles.size, 3, status);
    t.false(titles.has('Needs attention'));
  }
});

test('a collection speaks to the one who hands over', async (t) => {
  const code = await newParcel(http, merchant, ['created'], { service_type: 2 });

  const page = await get(code);

  t.is(inside('h1', page.text), 'Waiting for collection');
  t.true(page.text.includes('Collected in'));
});

test('the last step of a collection is that it is done, in every language', async (t) => {
  const code = await newParcel(http, merchant, ['delivered'], { service_type: 2 });

  const [english, hebrew, arabic] = await Promise.all(
    ['en', 'he', 'ar'].map((language) => get(code, { 'accept-language': language })),
  );

  t.true(english?.text.includes('aria-current="step">Collection complete</li></ol>'));
  t.true(hebrew?.text.includes('aria-current="step">האיסוף הושלם</li></ol>'));
  t.true(arabic?.text.includes('aria-current="step">اكتمل الاستلام</li></ol>'));
});

test('the step of a courier on the way is named as its status, in every language', async (t) => {
  const code = await newParcel(http, merchant, ['out_for_delivery']);

  for (const language of ['en', 'he', 'ar']) {
    const page = await get(code, { 'accept-language': language });

    t.true(page.text.includes(`aria-current="step">${inside('h1', page.text)}</li>`), language);
  }
});

test('the pickup point has name, address and map, and its city is the destination', async (t) => {
  await http.db.run(
    `INSERT INTO pickup_points
       (license_id, point_id, generation, name, city, city_key, street, number, street_code, remarks)
     VALUES (?, 'P1', 1, 'Corner Kiosk', 'Acre', 'acre', 'Harbour street', '1', '', 'Sun-Thu 08:00-20:00')`,
    [merchant.license.id],
  );
  const code = await newParcel(http, merchant, ['at_pickup_point'], {
    pickup_point_id: 'P1',
    recipient_city: 'Jerusalem',
  });

  const page = await get(code);

  t.true(page.text.includes('Corner Kiosk'));
  t.true(page.text.includes('<dt>Destination</dt><dd><bdi>Acre</bdi></dd>'));
  t.false(page.text.includes('Jerusalem'));
  t.true(page.text.includes('Harbour street 1, Acre'));
  t.true(page.text.includes('Sun-Thu 08:00-20:00'));
  t.true(page.text.includes('query=Corner%20Kiosk%2C%20Harbour%20street%201%2C%20Acre"'));
  t.true(page.text.includes('aria-current="step">At the pickup point</li><li>Picked up</li>'));
});

test('a pickup point that no list has is shown in the words of the order, and no city beside it', async (t) => {
  const code = await newParcel(http, merchant, ['in_transit'], {
    pickup_point_id: 'K1',
    recipient_city: 'Jerusalem',
    details: JSON.stringify({ pickupAddress: 'Kiosk, Herzl 12, Haifa' }),
  });

  const page = await get(code);

  t.true(page.text.includes('<dt>Pickup point</dt><dd><bdi>Kiosk, Herzl 12, Haifa</bdi></dd>'));
  t.false(page.text.includes('Jerusalem'));
  t.false(page.text.includes('<dt>Destination</dt>'));
});

test('where something is wrong, the shop’s contacts come right below the status', async (t) => {
  for (const [status, isFirst] of [
    ['delivery_failed', true],
    ['lost', true],
    ['in_transit', false],
  ] as const) {
    const page = await get(await newParcel(http, merchant, [status]));
    t.is(page.text.indexOf('id="contact"') < page.text.indexOf('id="details"'), isFirst, status);
  }
});

test('order number and cash to have ready are shown, the cash only while the parcel is awaited', async (t) => {
  const cash = { cod_amount: '1349.90', cod_currency: 'ILS' };
  const awaited = await get(await newParcel(http, merchant, ['in_transit'], cash));
  const returned = await get(await newParcel(http, merchant, ['returned'], cash));

  t.true(awaited.text.includes('<dt>Order</dt>'));
  t.true(awaited.text.includes('<dt>Cash to have ready</dt><dd><bdi>₪1,349.90</bdi></dd>'));
  t.false(returned.text.includes('1,349.90'));
});

test('a shared link tells the status, and the page has its own color and icon', async (t) => {
  const page = await get(await newParcel(http, merchant, ['in_transit']));

  t.true(page.text.includes('<meta property="og:title" content="On its way · Acme Outdoor">'));
  t.regex(page.text, /<meta property="og:description" content="Your parcel is moving[^"]+">/);
  t.true(page.text.includes('<meta name="theme-color" content="#f3f5f8"'));
  t.regex(page.text, /<link rel="icon" href="data:image\/svg\+xml,[^"]+">/);
});

test('the Arabic clock has 24 hours, in digits as on Israeli clocks', async (t) => {
  const code = await newParcel(http, merchant, []);
  await http.db.run(
    `INSERT INTO shipment_events
       (shipment_id, code, description, occurred_at, carrier_code, carrier_description, location)
     SELECT id, 'created', '', '2026-11-10 14:37:00', '', '', '' FROM shipments WHERE short_tracking_code = ?`,
    [code],
  );

  t.regex((await get(code, {}, '?lang=ar')).text, />[^<]*2026[^<]* 16:37</);
});

test('a carrier has a name in the language of the page', async (t) => {
  const named = publicCarrierName({ provider: 'independent', name: 'Independent couriers' }, 'he');

  t.is(named, 'שליח של החנות');
  t.is(publicCarrierName({ provider: 'own', name: 'Own' }, 'he'), 'Own');
});

test('the language is the one asked for, else the browser’s, else the merchant’s', async (t) => {
  const hebrew = await newMerchant(http, { locale: 'he_IL' });
  const code = await newParcel(http, hebrew, ['delivered']);
  const languageOf = async (accepted: string, query = '') => {
    const page = await get(code, accepted === '' ? {} : { 'accept-language': accepted }, query);
    t.is(page.headers.get('vary'), 'Accept-Language');
    const [, lang = '', dir] = /<html lang="(\w+)" dir="(\w+)">/.exec(page.text) ?? [];
    t.is(page.headers.get('content-language'), lang);
    return `${lang} ${dir}`;
  };

  t.is(await languageOf(''), 'he rtl');
  t.is(await languageOf('*'), 'he rtl');
  t.is(await languageOf('fr-FR, de;q=0.5'), 'he rtl');
  t.is(await languageOf('en-US,en;q=0.9,he;q=0.8'), 'en ltr');
  t.is(await languageOf('en;q=0.1, ar-EG;q=0.9'), 'ar rtl');
  t.is(await languageOf('en;q=0, fr'), 'he rtl');
  t.is(await languageOf('iw'), 'he rtl');
  t.is(await languageOf('en', '?lang=ar'), 'ar rtl');
  t.is(await languageOf('en', '?lang=xx'), 'en ltr');
  t.is(await languageOf(`${'x,'.repeat(4000)}`.slice(0, 8000)), 'he rtl');
});

test('a page may be kept for a minute, and an equal one answers 304', async (t) => {
  const code = await newParcel(http, merchant, ON_THE_WAY);
  const first = await get(code);
  const etag = first.headers.get('etag') ?? '';

  const same = await get(code, { 'if-none-match': etag });
  const head = await send(`${http.url}/track/${code}`, 'HEAD', {});
  const other = await get(code, { 'if-none-match': etag, 'accept-language': 'he' });

  t.is(first.headers.get('cache-control'), 'public, max-age=60');
  t.is(same.status, 304);
  t.is(same.text, '');
  t.is(head.status, 200);
  t.is(head.text, '');
  t.is(head.headers.get('etag'), etag);
  t.is(other.status, 200);
});

test('the policy allows the page’s own style and the logo’s host, and nothing else', async (t) => {
  const page = await get(await newParcel(http, merchant, ['created']));

  const policy = page.headers.get('content-security-policy') ?? '';
  t.regex(
    policy,
    /^default-src 'none'; style-src 'sha256-[^']+'; img-src 'self' data: https:\/\/cdn\.acme\.test; /,
  );
  t.true(policy.includes("form-action 'none'; frame-ancestors 'none'"));
  t.false(policy.includes('unsafe'));
  t.is(page.headers.get('referrer-policy'), 'no-referrer');
  t.is(page.headers.get('x-content-type-options'), 'nosniff');
  t.is(page.headers.get('x-robots-tag'), 'noindex, nofollow');
  t.is(page.headers.get('set-cookie'), null);
});

test('codes are taken as people write them', async (t) => {
  const code = await newParcel(http, merchant, ['created'], { short_tracking_code: '0123401AB1' });

  for (const typed of [code, '0123401ab1', 'o1234-oiaB-L', '01234-01ab1'])
    t.is((await get(typed)).status, 200, typed);
});

test('an unknown code, a refused creation and a hostile code answer alike: a page that helps', async (t) => {
  const refused = await newParcel(http, merchant, ['created'], { state: 'refused' });
  const codes = [
    '0000000000',
    refused,
    'x',
    'x'.repeat(3000),
    "'%20OR%201=1--",
    '%00',
    '%3Cscript%3E',
    '%ff',
  ];

  const pages = await Promise.all(codes.map((code) => get(code, { 'accept-language': 'he' })));

  for (const [index, page] of pages.entries()) {
    t.is(page.status, 404, codes[index] ?? '');
    t.is(page.text, pages[0]?.text ?? '');
    t.is(page.headers.get('cache-control'), 'no-store');
  }
  t.is(inside('h1', pages[0]?.text ?? ''), 'החבילה לא נמצאה');
});

test('without MySQL the page says so, in the reader’s language, and when to come back', async (t) => {
  const gone = openDatabase({ url: 'mysql://root@127.0.0.1:1/none', poolSize: 1 });
  t.teardown(() => gone.close());
  const log = pino({ level: 'silent' });
  const readiness = async () => ({ mysql: false, temporal: true });
  const app = createWeb({
    ...http.app,
    db: gone,
    log,
    readiness,
  });
  const server = await startServer(app, http.config);
  t.teardown(() => server.close());

  const page = await send(`${server.url}/track/0000000000`, 'GET', { headers: { 'accept-language': 'ar' } });

  t.is(page.status, 503);
  t.truthy(page.headers.get('retry-after'));
  t.is(inside('h1', page.text), 'التتبّع غير متاح الآن');
  t.is(page.headers.get('cache-control'), 'no-store');
});

test('other methods are not allowed', async (t) => {
  const answer = await send(`${http.url}/track/0000000000`, 'POST', { raw: '{}' });

  t.is(answer.status, 405);
  t.is(answer.headers.get('allow'), 'GET, HEAD');
});

test('a shipment whose carrier has not answered yet is being prepared', async (t) => {
  const code = await newParcel(http, merchant, [], {
    state: 'reserved',
    status_code: 'pending',
    tracking_code: null,
    pending_order: JSON.stringify({ number: 'NEW-77' }),
  });

  const page = await get(code);

  t.is(inside('h1', page.text), 'Being prepared');
  t.false(page.text.includes('Tracking number'));
  t.true(page.text.includes('NEW-77'));
});

test('what a merchant enters is text, and links go where they say', async (t) => {
  const hostile = await newMerchant(http, {
    company_name: `</title><script>alert(1)</script>"'$&\u202e`,
    company_logo: 'javascript:alert(1)',
    support_email: 'a@b.test?bcc=<x>',
    support_phone: 'call me',
    tracker_page_contact_info: JSON.stringify({
      website: 'javascript:alert(1)',
      whatsapp: ['x'],
      hours: '<img src=x onerror=alert(1)>',
      __proto__: { phone: '1' },
    }),
  });
  const code = await newParcel(http, hostile, ['created'], {
    recipient_city: '<b onclick=x>',
    tracking_code: '"><svg onload=1>',
  });

  const page = await get(code);

  t.is(page.status, 200);
  t.false(page.text.includes('<script'));
  t.false(page.text.includes('<svg onload'));
  t.false(page.text.includes('<img'));
  t.false(page.text.includes('<b onclick'));
  t.false(page.text.includes('href="javascript'));
  t.is(page.headers.get('content-security-policy')?.includes('javascript'), false);
});

test('a logo may be within its own address, or on our host', async (t) => {
  const drawn = `data:image/svg+xml,${encodeURIComponent(LOGO.body)}`;
  const logos = [
    drawn,
    '/logos/acme.png',
    'data:text/html,<b>',
    'ftp://acme.test/logo.png',
    'https://u:p@acme.test/',
  ];
  const shown: (string | undefined)[] = [];
  const shared: (string | undefined)[] = [];
  for (const company_logo of logos) {
    const page = await get(await newParcel(http, await newMerchant(http, { company_logo }), ['created']));
    shown.push(/<img src="([^"]*)"/.exec(page.text)?.[1]);
    shared.push(/<meta property="og:image" content="([^"]*)"/.exec(page.text)?.[1]);
  }

  t.deepEqual(shown, [drawn, 'https://api.parcels.test/logos/acme.png', undefined, undefined, undefined]);
  t.deepEqual(shared, [undefined, ...shown.slice(1)]);
});

test('a merchant without a company or contacts gets a plain page with the name of the account, as in mails', async (t) => {
  const bare = await newMerchant(http, {
    company_name: '',
    company_logo: '',
    support_email: '',
    support_phone: '',
    tracker_page_contact_info: null,
  });

  const page = await get(await newParcel(http, bare, ['created']));

  t.is(inside('title', page.text), 'Being prepared · Merchant');
  t.true(page.text.includes('<p class="name"><bdi>Merchant</bdi></p>'));
  t.false(page.text.includes('Questions?'));
});

for (const [language, width, dark] of [
  ['en', 390, false],
  ['he', 390, true],
  ['ar', 1280, false],
  ['he', 320, false],
] as const) {
  test(`in Chromium at ${width} px, ${language}${dark ? ', dark' : ''}: accessible, whole, and quiet`, async (t) => {
    const code = await newParcel(http, merchant, ON_THE_WAY, {
      tracking_code: `${'T'.repeat(34)}${language}${width}`,
    });
    const { page, requests, complaints } = await browser.open(`${http.url}/track/${code}`, {
      language,
      width,
      dark,
      elsewhere: LOGO,
    });
    t.teardown(() => page.close());

    const violations = await violationsOf(page);
    const overflows = await page.evaluate('document.documentElement.scrollWidth > window.innerWidth');

    t.deepEqual(violations, []);
    t.false(overflows);
    t.deepEqual(complaints, []);
    t.deepEqual(
      requests.filter((url) => !url.startsWith('data:')),
      [`${http.url}/track/${code}`, 'https://cdn.acme.test/logo.svg'],
    );
  });
}

for (const [company_color, dark] of [
  ['#ffe14d', false],
  ['#101418', true],
] as const) {
  test(`in Chromium, the color ${company_color} is worn where it can be read${dark ? ', dark' : ''}`, async (t) => {
    const code = await newParcel(http, await newMerchant(http, { company_color }), ON_THE_WAY);
    const { page, complaints } = await browser.open(`${http.url}/track/${code}`, {
      language: 'en',
      dark,
      elsewhere: LOGO,
    });
    t.teardown(() => page.close());

    const link = await page.evaluate(
      "getComputedStyle(document.documentElement).getPropertyValue('--link').trim()",
    );

    t.is(link, accentOn(company_color, dark ? '#1a212b' : '#f3f5f8', dark ? 0.2 : 0.1).ink);
    t.deepEqual(await violationsOf(page), []);
    t.deepEqual(complaints, []);
  });
}

test('in Chromium at 360 px, a parcel to be fetched: accessible, whole, and quiet', async (t) => {
  await http.db.run(
    `INSERT INTO pickup_points
       (license_id, point_id, generation, name, city, city_key, street, number, street_code, remarks)
     VALUES (?, 'P2', 1, ?, 'Acre', 'acre', 'Harbour street', '1', '', '')`,
    [merchant.license.id, 'K'.repeat(80)],
  );
  const code = await newParcel(http, merchant, ['at_pickup_point'], { pickup_point_id: 'P2' });
  const { page, complaints } = await browser.open(`${http.url}/track/${code}`, {
    language: 'ar',
    width: 360,
    elsewhere: LOGO,
  });
  t.teardown(() => page.close());

  t.deepEqual(await violationsOf(page), []);
  t.false(await page.evaluate('document.documentElement.scrollWidth > window.innerWidth'));
  t.deepEqual(complaints, []);
});

test('the page that stands for a missing parcel is accessible', async (t) => {
  const { page } = await browser.open(`${http.url}/track/0000000000`, { language: 'ar' });
  t.teardown(() => page.close());

  t.deepEqual(await violationsOf(page), []);
});
