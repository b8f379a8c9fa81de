import { randomUUID } from 'node:crypto';
import test, { type ExecutionContext } from 'ava';
import type { Role } from '../../../src/domain/panel-roles.js';
import { RULES } from '../../../src/domain/problems/problem.js';
import { WORDS } from '../../../src/http/pages/panel/words/words.js';
import { describeSettings } from '../../../src/services/admin/settings.js';
import { openSession } from '../../../src/services/panel/sessions.js';
import { insertCarrierLicense } from '../../support/carrier-licenses.js';
import { startHttp } from '../../support/http.js';
import { askPanel, cookieWith, invite } from '../../support/panel.js';

const http = await startHttp();
test.after.always(() => http.close());

type Language = 'he' | 'ar';
const SCRIPTS = { he: /\p{Script=Hebrew}/u, ar: /\p{Script=Arabic}/u };

/** A new account with a license, and a user of a role who reads in a language. */
async function reader(role: Role, language: Language) {
  const account = await http.account();
  const baseUrl = 'http://127.0.0.1:9';
  const license = await insertCarrierLicense(http, { accountId: account.id, provider: 'run', baseUrl });
  const user = await invite(http, role, role === 'owner' || role === 'staff' ? account.id : undefined);
  await http.db.run('UPDATE panel_users SET language = ? WHERE id = ?', [language, user.id]);
  const visitor = { address: '127.0.0.1', browser: 'test' };
  const cookie = cookieWith(await openSession(http, user.id, visitor));
  const send = (path: string, form: Record<string, string>) =>
    askPanel(`${http.url}/panel${path.replace(':account', String(account.id))}`, {
      form,
      headers: { cookie },
    });
  return { account, license, user, send };
}

/** Errors on a page. */
function errorsOn(text: string): string[] {
  const found = text.matchAll(/<p class="error"[^>]*>([\s\S]*?)<\/p>/g);
  return [...found].map(([, inside = '']) => inside.replaceAll(/<[^>]+>/g, '').trim());
}

/** Whether each refusal on a page is in the page's language, without names of the API's fields. */
function isInLanguage(t: ExecutionContext, text: string, language: Language): string[] {
  const errors = errorsOn(text);
  t.true(errors.length > 0, 'something is refused');
  for (const error of errors) {
    t.regex(error, SCRIPTS[language], error);
    t.notRegex(
      error,
      /\b(the|must|is|are|field|required|there)\b|[a-z]_[a-z]|[a-z][A-Z][a-z]|\w\.\w+_/,
      error,
    );
  }
  return errors;
}

test('GET /panel/a/:account/licenses/new: each setting of each carrier has its label and meaning in every language', async (t) => {
  for (const adapter of http.app.adapters) {
    for (const { name } of describeSettings(adapter)) {
      for (const language of ['he', 'ar'] as const) {
        const { labels, meanings } = WORDS[language].carrierSettings;
        t.regex(
          (labels as Record<string, string>)[name] ?? '',
          SCRIPTS[language],
          `${adapter.provider} ${name}`,
        );
        t.regex(
          (meanings as Record<string, string>)[name] ?? '',
          SCRIPTS[language],
          `${adapter.provider} ${name}`,
        );
      }
    }
  }
});

for (const language of ['he', 'ar'] as const) {
  for (const provider of ['run', 'cargo', 'lionwheel', 'getpackage', 'wolt_drive']) {
    test(`POST /panel/a/:account/licenses/new: faults of ${provider}'s settings are in the language of the page, ${language}`, async (t) => {
      const { send } = await reader('administrator', language);

      const { status, text } = await send(`/a/:account/licenses/new?carrier=${provider}`, {
        carrier: provider,
        companyName: 'Blue',
        name: '',
        's.base_url': 'no address',
        's.timeout_ms': '1',
        's.statuses': 'none',
      });

      t.is(status, 422);
      const errors = isInLanguage(t, text.replaceAll(/https?:\/\/[\w.-]+/g, ''), language);
      t.false(
        errors.some((one) => one.includes('base_url') || one.includes('timeout_ms')),
        'no name of the API',
      );
      t.regex(text, /for="s\.base_url">[^<]*\p{Script=Hebrew}|for="s\.base_url">[^<]*\p{Script=Arabic}/u);
    });
  }
  const { form, kept } = WORDS[language];

  test(`POST /panel/a/:account/shipments/new: faults are in the language of the page, ${language}`, async (t) => {
    const { send } = await reader('staff', language);

    const { status, text } = await send('/a/:account/shipments/new', {
      order: '1001',
      contact_name: 'x'.repeat(256),
      contact_phone: '',
      cod: 'much',
      packages: '100',
    });

    t.is(status, 422);
    const errors = isInLanguage(t, text, language);
    t.true(/^[^:]+: \S/.test(errors[0] ?? ''), 'the sentence above names the field by its label');
  });

  test(`POST /panel/a/:account/shipments/new: what no schema says is in the language of the page, ${language}`, async (t) => {
    const { send } = await reader('staff', language);

    const { text } = await send('/a/:account/shipments/new', {
      order: '1001',
      contact_name: 'Noa',
      contact_phone: '0501234567',
      exaction_date: '2020-01-01',
    });

    const errors = isInLanguage(t, text, language);
    const unless = RULES.required_unless[language].replace('{other}', form.pickup);
    t.true(errors.includes(unless), 'street and city name the pickup point by its label');
    t.true(errors.includes(RULES.collect_day[language].replace('{days}', '90')));
  });

  test(`POST /panel/a/:account/addresses, presets: faults name the field by its label, ${language}`, async (t) => {
    const { send } = await reader('staff', language);

    const address = await send('/a/:account/addresses', { contact_name: 'Noa', contact_phone: '' });
    const preset = await send('/a/:account/presets', { preset_name: '', packages: '1' });

    for (const [{ text }, label] of [
      [address, form.phone],
      [preset, kept.presetName],
    ] as const) {
      const [first = ''] = isInLanguage(t, text, language);
      t.true(first.startsWith(label), first);
    }
  });

  test(`POST /panel/a/:account/settings: a wrong color is in the language of the page, ${language}`, async (t) => {
    const { send } = await reader('owner', language);

    const { text } = await send('/a/:account/settings', { name: 'x', email: 'none', companyColor: 'green' });

    const errors = isInLanguage(t, text, language);
    t.true(errors.includes(RULES.like[language].replace('{example}', '#0a7d55')));
  });

  test(`POST /panel/users: an owner without an account is in the language of the page, ${language}`, async (t) => {
    const { send } = await reader('administrator', language);

    const email = `${randomUUID()}@panel.example`;
    const { text } = await send('/users', { email, name: 'Noa', role: 'owner' });

    t.true(isInLanguage(t, text, language).includes(RULES.role_account[language]));
  });

  test(`POST /panel/users/:id: nobody disables themselves, in the language of the page, ${language}`, async (t) => {
    const { send, user } = await reader('administrator', language);

    const { text } = await send(`/users/${user.id}`, { do: 'disable' });

    t.true(isInLanguage(t, text, language).some((one) => one.endsWith(RULES.not_oneself[language])));
  });

  test(`POST /panel/a/:account/notifications/templates/new: a template's errors are in the language of the page, ${language}`, async (t) => {
    const { send, license } = await reader('owner', language);
    const bodies = ['Hello {{ nobody }}', '<script>', '<p>{{ order.number', '{order_number}', '<p><b></p>'];

    for (const body of bodies) {
      const template = { event: 'shipment.created', locale: 'en', subject: 'Hello', body };
      const { text } = await send(`/a/:account/notifications/templates/new?license=${license.id}`, template);

      isInLanguage(t, text.replaceAll(/\{\{?[\w. ]+\}?\}?|&lt;\/?\w+&gt;|\{\{|\}\}/g, ''), language);
    }
  });

  test(`POST /panel/a/:account/webhooks/new: an address that is none is in the language of the page, ${language}`, async (t) => {
    const { send, license } = await reader('owner', language);

    for (const url of ['', 'ftp://x.example', 'http://127.0.0.1/', 'http://user:secret@x.example']) {
      const { text } = await send(`/a/:account/webhooks/new?license=${license.id}`, { url });

      isInLanguage(t, text.replaceAll(/https?:\/\//g, ''), language);
    }
  });

  test(`POST /panel/a/:account/sites: a store's errors are in the language of the page, ${language}`, async (t) => {
    const { send } = await reader('administrator', language);

    const site = { platform: 'custom', domain: 'no domain', callbackUrl: 'http://127.0.0.1/' };
    const { text } = await send('/a/:account/sites', site);

    isInLanguage(t, text.replaceAll(/https?:\/\//g, ''), language);
  });

  test(`POST /panel/a/:account/batches/new: an empty list is in the language of the page, ${language}`, async (t) => {
    const { send, license } = await reader('owner', language);

    const { text } = await send('/a/:account/batches/new', { license: String(license.id), items: '[]' });

    isInLanguage(t, text, language);
  });
}
