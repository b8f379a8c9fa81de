import test from 'ava';
import {
  builtinTemplates,
  chooseTemplate,
  renderMail,
  sampleMailData,
} from '../../src/documents/mails/recipient-mail.js';
import { SHIPMENT_EVENTS } from '../../src/domain/events.js';
import { LANGUAGES } from '../../src/domain/recipient-words/language.js';
import { publicStatus } from '../../src/domain/recipient-words/public-status.js';
import { TEXTS } from '../../src/domain/recipient-words/words.js';
import type { ServiceType } from '../../src/domain/shipment.js';
import { SHIPPING_STATUSES, type StatusCode } from '../../src/domain/statuses.js';

const BASE_URL = 'https://parcels.test';
const merchant = {
  name: 'Acme Shop',
  email: 'help@acme.test',
  phone: '+972 3 555 0100',
  logo: '',
  color: '',
};

test('builtinTemplates: one for every event in each language', (t) => {
  const all = builtinTemplates();

  t.is(all.length, SHIPMENT_EVENTS.length * 3);
  for (const { event, ...template } of all) {
    const mail = renderMail(template, sampleMailData(template.locale, merchant), BASE_URL);
    t.true(mail.html.includes('https://parcels.test/track/7K2M9QX4TB'), event);
    t.true(mail.text.includes('https://parcels.test/track/7K2M9QX4TB'), event);
    t.is(mail.subject.includes('#1001'), template.locale === 'en', event);
    t.true(mail.text.includes('#1001'), event);
    t.false(/\{\{|undefined|null/.test(mail.subject + mail.html + mail.text), event);
    t.true(mail.html.includes('mailto:help@acme.test'));
  }
});

test('renderMail: Hebrew runs from right to left', (t) => {
  const template = chooseTemplate([], 'shipment.status_changed', 'he-IL');
  const mail = renderMail(template, sampleMailData('he', merchant), BASE_URL);

  t.true(mail.html.includes('<html lang="he" dir="rtl">'));
  t.true(mail.html.includes('יצא למסירה'));
  t.true(mail.text.includes('שלום דנה לוי,'));
});

/** The built-in mail on a change to this status. */
function newsOf(status: StatusCode, language: string, serviceType: ServiceType = 1, shop = merchant) {
  const mailData = sampleMailData(language, shop);
  const shipment = { ...mailData.shipment, status, serviceType };
  return renderMail(
    chooseTemplate([], 'shipment.status_changed', language),
    { ...mailData, shipment },
    BASE_URL,
  );
}

for (const language of LANGUAGES) {
  test(`in ${language}, the mail of a status has the tracking page's words`, (t) => {
    for (const { code } of SHIPPING_STATUSES) {
      const { title, text } = TEXTS[language].statuses[publicStatus(code, 1)];
      const mail = newsOf(code, language);

      t.true(mail.html.includes(`<h1><bdi>${title}</bdi></h1>`), code);
      t.true(mail.text.includes(text), code);
      t.true(mail.subject.includes(merchant.name), code);
      t.false(/\{\w/.test(mail.subject), code);
      t.is(mail.html.includes(`lang="${language}"`), true);
    }
  });

  test(`in ${language}, the shop's contact precedes the button after a problem`, (t) => {
    for (const { code } of SHIPPING_STATUSES) {
      const [text = ''] = newsOf(code, language).html.split('class="button"');
      const isWrong = ['delivery_failed', 'returning', 'returned', 'cancelled', 'lost'].includes(code);

      t.is(text.includes('href="tel:'), isWrong, code);
      t.is(text.includes('href="mailto:help@acme.test"'), isWrong, code);
    }
  });

  test(`in ${language}, cash is shown as on the page, only while the parcel is awaited`, (t) => {
    t.true(newsOf('out_for_delivery', language).text.includes('₪120.00'));
    t.false(newsOf('returned', language).text.includes('120.00'));
    t.false(newsOf('out_for_delivery', language).text.includes('ILS'));
  });
}

test('renderMail: the subject has the essential information', (t) => {
  t.is(newsOf('at_pickup_point', 'en').subject, 'Your parcel from Acme Shop is ready for pickup (#1001)');
  t.is(newsOf('delivery_failed', 'en').subject, 'Your parcel from Acme Shop could not be delivered (#1001)');
  t.is(newsOf('created', 'en', 2).subject, 'Your parcel for Acme Shop is waiting for collection (#1001)');
  t.is(newsOf('delivered', 'ar').subject, 'تم تسليم طردك من Acme Shop');
});

for (const [language, ours, theirs] of [
  ['he', 'החבילה שלך נמסרה', 'החבילה שלך מ־Ksp נמסרה'],
  ['ar', 'تم تسليم طردك', 'تم تسليم طردك من Ksp'],
  ['en', 'Your parcel from KSP was delivered (#1001)', 'Your parcel from Ksp was delivered (#1001)'],
] as const) {
  test(`renderMail: in ${language}, the subject is not in capitals alone when the shop's name is`, (t) => {
    const subjectOf = (name: string) => newsOf('delivered', language, 1, { ...merchant, name }).subject;

    t.is(subjectOf('KSP'), ours);
    t.is(subjectOf('Ksp'), theirs);
  });
}

test('renderMail: names the pickup place while the parcel is awaited there', (t) => {
  const mailOf = (status: StatusCode, provider: string) => {
    const mailData = sampleMailData('he', merchant);
    const pickupPoint = {
      name: 'קיוסק הפינה',
      street: 'הנמל',
      number: '1',
      city: 'עכו',
      remarks: '',
      coordinates: { latitude: '32.920000', longitude: '35.070000' },
    };
    return renderMail(
      chooseTemplate([], 'shipment.status_changed', 'he'),
      {
        ...mailData,
        carrier: { provider, name: 'Name' },
        shipment: { ...mailData.shipment, status, pickupPoint },
      },
      BASE_URL,
    );
  };
  const mail = mailOf('at_pickup_point', 'independent');

  t.true(mail.text.includes('קיוסק הפינה'));
  t.true(mail.text.includes('הנמל 1, עכו'));
  t.true(
    mail.html.includes('href="https://www.google.com/maps/search/?api=1&amp;query=32.920000%2C35.070000"'),
  );
  t.true(mail.text.includes('שליח של החנות'));
  t.false(mailOf('returned', 'own').text.includes('קיוסק'));
});

test('renderMail: an Arabic account writes Arabic, from right to left', (t) => {
  const mail = renderMail(
    chooseTemplate([], 'shipment.created', 'ar'),
    sampleMailData('ar', merchant),
    BASE_URL,
  );

  t.true(mail.html.includes('<html lang="ar" dir="rtl">'));
  t.true(mail.text.includes('مرحبًا دانا خوري،'));
});

test("chooseTemplate: the merchant's own before ours, ours before English", (t) => {
  const own = { locale: 'he', subject: 'שלי', body: 'גוף' };
  const ownEnglish = { locale: 'en', subject: 'Mine', body: 'Body' };

  t.is(chooseTemplate([own, ownEnglish], 'shipment.created', 'he'), own);
  t.is(chooseTemplate([ownEnglish], 'shipment.created', 'fr'), ownEnglish);
  t.is(chooseTemplate([ownEnglish], 'shipment.created', 'he_IL').locale, 'he');
  t.is(chooseTemplate([], 'shipment.created', 'fr').locale, 'en');
});

test('renderMail: hostile names are text, and a hostile logo is not loaded', (t) => {
  const hostile = `</title><script>x</script><img src=http://evil.test/a>`;
  const mailData = sampleMailData('en', { ...merchant, name: hostile, logo: 'javascript:alert(1)' });

  const mail = renderMail(
    chooseTemplate([], 'shipment.created', 'en'),
    { ...mailData, recipient: { name: hostile, company: hostile, city: hostile } },
    BASE_URL,
  );

  t.false(/<script|<img|javascript:/.test(mail.html));
  t.true(mail.text.includes('<script>'));
});

test("renderMail: only buttons and links have the merchant's color", (t) => {
  const styleOf = (color: string) => {
    const mailData = sampleMailData('en', { ...merchant, color });
    const { html } = renderMail(chooseTemplate([], 'shipment.created', 'en'), mailData, BASE_URL);
    return html.slice(html.indexOf('<style>'), html.indexOf('</style>'));
  };

  const plain = styleOf('');

  t.true(styleOf('#ffe14d').includes('.text a.button { background: #ffe14d; color: #000000; }'));
  t.true(styleOf('#123456').includes('.text a.button { background: #123456; color: #ffffff; }'));
  t.is(styleOf('red}</style>'), plain);
});

test('renderMail: a logo is shown only from https or data', (t) => {
  const logoIn = (logo: string) => {
    const mailData = sampleMailData('en', { ...merchant, logo });
    return renderMail(chooseTemplate([], 'shipment.created', 'en'), mailData, BASE_URL).html.includes(
      '<img ',
    );
  };

  t.true(logoIn('https://acme.test/logo.png'));
  t.true(logoIn('data:image/svg+xml,%3Csvg%2F%3E'));
  t.false(logoIn('http://acme.test/logo.png'));
  t.false(logoIn('https://acme.test/"onerror="x'));
});
