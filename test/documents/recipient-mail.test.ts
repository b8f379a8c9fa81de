import test from 'ava';
import {
  builtinTemplates,
  chooseTemplate,
  renderMail,
  sampleFacts,
} from '../../src/documents/mails/recipient-mail.js';
import { SHIPMENT_EVENTS } from '../../src/domain/events.js';

const BASE_URL = 'https://parcels.test';
const merchant = { name: 'Acme Shop', email: 'help@acme.test', phone: '+972 3 555 0100', logo: '' };

test('there is a built-in mail for every event in English and Hebrew', (t) => {
  const all = builtinTemplates();

  t.is(all.length, SHIPMENT_EVENTS.length * 2);
  for (const { event, ...template } of all) {
    const mail = renderMail(template, sampleFacts(template.locale, merchant), BASE_URL);
    t.true(mail.html.includes('https://parcels.test/track/7K2M9QX4TB'), event);
    t.true(mail.text.includes('https://parcels.test/track/7K2M9QX4TB'), event);
    t.true(mail.subject.includes('#1001'), event);
    t.false(/\{\{|undefined|null/.test(mail.subject + mail.html + mail.text), event);
    t.true(mail.html.includes('mailto:help@acme.test'));
  }
});

test('a Hebrew mail runs from right to left', (t) => {
  const template = chooseTemplate([], 'shipment.status_changed', 'he-IL');
  const mail = renderMail(template, sampleFacts('he', merchant), BASE_URL);

  t.true(mail.html.includes('<html lang="he" dir="rtl">'));
  t.true(mail.html.includes('יצא לחלוקה'));
  t.true(mail.text.includes('שלום דנה לוי,'));
});

test('the own template goes before ours, and ours before English', (t) => {
  const own = { locale: 'he', subject: 'שלי', body: 'גוף' };
  const ownEnglish = { locale: 'en', subject: 'Mine', body: 'Body' };

  t.is(chooseTemplate([own, ownEnglish], 'shipment.created', 'he'), own);
  t.is(chooseTemplate([ownEnglish], 'shipment.created', 'fr'), ownEnglish);
  t.is(chooseTemplate([ownEnglish], 'shipment.created', 'he_IL').locale, 'he');
  t.is(chooseTemplate([], 'shipment.created', 'fr').locale, 'en');
});

test('hostile names are text, and a hostile logo is not loaded', (t) => {
  const hostile = `</title><script>x</script><img src=http://evil.test/a>`;
  const facts = sampleFacts('en', { ...merchant, name: hostile, logo: 'javascript:alert(1)' });

  const mail = renderMail(
    chooseTemplate([], 'shipment.created', 'en'),
    { ...facts, recipient: { name: hostile, company: hostile, city: hostile } },
    BASE_URL,
  );

  t.false(/<script|<img|javascript:/.test(mail.html));
  t.true(mail.text.includes('<script>'));
});

test('a logo is shown from https or as data only', (t) => {
  const logoIn = (logo: string) => {
    const facts = sampleFacts('en', { ...merchant, logo });
    return renderMail(chooseTemplate([], 'shipment.created', 'en'), facts, BASE_URL).html.includes('<img ');
  };

  t.true(logoIn('https://acme.test/logo.png'));
  t.true(logoIn('data:image/svg+xml,%3Csvg%2F%3E'));
  t.false(logoIn('http://acme.test/logo.png'));
  t.false(logoIn('https://acme.test/"onerror="x'));
});
