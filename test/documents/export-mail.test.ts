import test from 'ava';
import { type ExportMailData, renderExportMail } from '../../src/documents/mails/export-mail.js';
import { LANGUAGES } from '../../src/domain/recipient-words/language.js';
import { SHIPPING_STATUSES } from '../../src/domain/statuses.js';

const MAIL: ExportMailData = {
  locale: 'en',
  accountName: 'Dana Levi',
  merchant: {
    name: 'Demo Shop',
    email: 'help@demo.test',
    phone: '+972 3 555 0100',
    logo: 'https://demo.test/logo.png',
    color: '#0a7d33',
  },
  licenseName: 'Run',
  createdAt: '2026-11-21T09:30:00.123456Z',
  filter: {},
  rowCount: 1234,
  filename: 'shipments-7-20261121-093000.csv',
  link: null,
};

test('renderExportMail: a large file is a link with its expiry', (t) => {
  const url = 'https://api.parcels.test/storage/export/5f0c1f7a-2b64-4f5c-9a3d-6c1f0a7be211/shipments-7.csv';
  const link = { url, expiresAt: '2026-11-28T09:31:00.000000Z' };

  const attached = renderExportMail(MAIL);
  const linked = renderExportMail({ ...MAIL, link });

  t.true(attached.text.includes('The file with your shipments is attached.'));
  t.false(/href/.test(attached.html));
  t.true(linked.text.includes(url));
  t.true(linked.text.includes('download it until 2026-11-28 09:31 UTC'));
  t.true(linked.html.includes(`<a class="button" href="${url}">Download the file</a>`));
  t.false(linked.text.includes('attached'));
});

test('renderExportMail: looks like other mails and states the count once', (t) => {
  const { subject, html, text } = renderExportMail(MAIL);

  t.is(subject, 'Your shipment export is ready (Run)');
  t.true(html.includes('<img src="https://demo.test/logo.png" alt="Demo Shop"'));
  t.true(html.includes('border-top: 4px solid #0a7d33'));
  t.true(html.includes('<table class="facts">'));
  for (const part of [html, text]) t.is(part.split('1,234').length, 2);
  t.regex(text, /Hello Dana Levi,\n\nThe file/);
});

test('renderExportMail: the subject is not in capitals alone when the license is HFD', (t) => {
  const subjectOf = (locale: string) => renderExportMail({ ...MAIL, locale, licenseName: 'HFD' }).subject;

  t.is(subjectOf('he'), 'הייצוא שלך מוכן');
  t.is(subjectOf('ar'), 'ملف التصدير جاهز');
  t.is(subjectOf('en'), 'Your shipment export is ready (HFD)');
});

test("renderExportMail: states its reason, without the merchant's own contact", (t) => {
  const { html, text } = renderExportMail(MAIL);

  for (const part of [html, text]) {
    t.true(part.includes('because your account requested the export'));
    t.false(part.includes('help@demo.test'));
    t.false(part.includes('Questions?'));
  }
});

for (const [locale, language, direction] of [
  ['en', 'en', 'ltr'],
  ['he-IL', 'he', 'rtl'],
  ['ar', 'ar', 'rtl'],
  ['fr', 'en', 'ltr'],
] as const) {
  test(`renderExportMail: an account with the locale ${locale} gets ${language}`, (t) => {
    const createdTo = '2026-11-20T23:59:59.999999Z';
    const filter = { active: true, type: 1, status: 'delivered', createdTo } as const;

    const { html, text } = renderExportMail({ ...MAIL, locale, filter });

    t.true(html.includes(`<html lang="${language}" dir="${direction}">`));
    t.true(text.includes('2026-11-20 23:59 UTC'));
    t.false(/undefined|null/.test(html + text));
    if (language !== 'en') t.false(/deliver|active|License|Filters/i.test(text), text);
  });
}

for (const locale of LANGUAGES) {
  test(`renderExportMail: escapes the merchant's texts, in ${locale}`, (t) => {
    const { html } = renderExportMail({
      ...MAIL,
      locale,
      accountName: '<script>alert(1)</script>',
      licenseName: '<img src=http://evil.test/x>',
      merchant: { ...MAIL.merchant, name: '<script>alert(2)</script>', logo: '' },
    });

    t.false(/<script|<img/.test(html));
  });

  test(`renderExportMail: every status has a name in ${locale}`, (t) => {
    const names = SHIPPING_STATUSES.map(({ code }) => {
      const { text } = renderExportMail({ ...MAIL, locale, filter: { status: code } });
      return /(?:status|סטטוס|الحالة:) (.+)/.exec(text)?.[1];
    });

    t.is(new Set(names).size, SHIPPING_STATUSES.length);
  });
}

test('renderExportMail: days stand as the panel asks for them, in Israel; moments of the API in UTC', (t) => {
  const days = { createdFrom: '2026-11-19T22:00:00.000000Z', createdTo: '2026-11-21T21:59:59.999999Z' };
  const moments = { createdFrom: '2026-11-20T00:00:00.000000Z' };

  const asked = renderExportMail({ ...MAIL, filter: days }).text;
  const byProgram = renderExportMail({ ...MAIL, filter: moments }).text;

  t.regex(asked, /2026-11-20(?! \d\d:)/);
  t.regex(asked, /2026-11-21(?! \d\d:\d\d UTC, )/);
  t.notRegex(asked, /22:00 UTC|21:59 UTC|2026-11-19/);
  t.true(byProgram.includes('2026-11-20 00:00 UTC'));
});
