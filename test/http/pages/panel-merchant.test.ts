import test from 'ava';
import { listAudit } from '../../../src/db/queries/accounts/audit-log.js';
import { startHttp } from '../../support/http.js';
import { askPanel, cookieOf } from '../../support/panel.js';

const http = await startHttp();
test.after.always(() => http.close());

const OF_A_LICENSE = ['/webhooks', '/webhooks/new', '/notifications', '/notifications/log'];

/** An owner's account with its cookie, and a way to ask for pages below it. */
async function owner({ licenses }: { licenses: number }) {
  const { id } = await http.account();
  const made = [];
  for (let count = 0; count < licenses; count += 1) made.push(await http.license(id));
  const cookie = await cookieOf(http, 'owner', id);
  const ask = (path: string, form?: Record<string, string>, headers: Record<string, string> = {}) =>
    askPanel(`${http.url}/panel/a/${id}${path}`, {
      ...(form === undefined ? {} : { form }),
      headers: { cookie, ...headers },
    });
  return { id, licenses: made, ask };
}

test('pages of a license: another account’s license is missing, in the address and in a form', async (t) => {
  const own = await owner({ licenses: 1 });
  const [foreign] = (await owner({ licenses: 1 })).licenses;
  const { key = '', id } = foreign ?? {};
  const license = String(id);

  for (const path of OF_A_LICENSE) t.is((await own.ask(`${path}?license=${key}`)).status, 404, path);
  const webhook = { license, url: 'https://receiver.example.test/', events: 'shipment.created' };
  t.is((await own.ask('/webhooks/new', webhook)).status, 422);
  t.is((await own.ask('/batches/new', { license, items: '[{}]' })).status, 422);
  t.is((await own.ask('/exports', { license })).status, 404);

  const counts = await http.db.select(
    `SELECT (SELECT COUNT(*) FROM webhook_subscriptions WHERE account_id = ?)
       + (SELECT COUNT(*) FROM batches WHERE account_id = ?)
       + (SELECT COUNT(*) FROM exports WHERE account_id = ?) AS total`,
    [own.id, own.id, own.id],
  );
  t.is(Number(counts[0]?.total), 0);
});

test('pages of a license: an account without one says so', async (t) => {
  const { ask } = await owner({ licenses: 0 });
  for (const path of [...OF_A_LICENSE, '/exports', '/batches', '/batches/new'])
    t.is((await ask(path)).status, 200, path);
  t.regex((await ask('/exports')).text, /no license in use/);
});

test('pages of a license: with several, each shows the chosen one', async (t) => {
  const { ask, licenses } = await owner({ licenses: 2 });
  const [, second] = licenses;
  const key = second?.key ?? '';

  await ask(`/notifications/settings?license=${key}`, { enabled: 'on', from_name: 'Second' });

  t.regex((await ask(`/notifications?license=${key}`)).text, /value="Second"/);
  t.notRegex((await ask('/notifications')).text, /value="Second"/);
});

test('GET /panel/a/{}/notifications: says which mails were beyond the limit of the day, for a week', async (t) => {
  const { id, licenses, ask } = await owner({ licenses: 1 });
  await ask('/notifications/settings', { enabled: 'on' });
  const text = async (path: string) => (await ask(path)).text;
  const drop = async (day: string) =>
    await http.db.run(
      `UPDATE notification_settings SET dropped_on = ${day}, mails_dropped = 37 WHERE license_id = ?`,
      [licenses[0]?.id ?? 0],
    );
  const before = await text('/notifications');

  await drop('UTC_DATE() - INTERVAL 6 DAY');
  const [settings, log] = await Promise.all(['/notifications', '/notifications/log'].map(text));
  await drop('UTC_DATE() - INTERVAL 7 DAY');

  const told = / were not sent: 37\. The license may cause 10000 a day/;
  t.regex(settings ?? '', told, `account ${id}`);
  t.regex(log ?? '', told);
  for (const none of [before, await text('/notifications')]) t.notRegex(none, /were not sent/);
});

test('changes by a merchant stand in the audit, without license key and secret', async (t) => {
  const { id, licenses, ask } = await owner({ licenses: 1 });
  const url = 'https://receiver.example.test/hook';
  const made = await ask('/webhooks/new', { url, events: 'shipment.created' });
  const [webhook = ''] = /(?<=webhooks\/)[0-9a-f-]{36}/.exec(made.text) ?? [];
  const path = `/webhooks/${webhook}`;
  await ask(path, { url: `${url}/2`, events: 'shipment.created', is_active: 'on' });
  await ask('/webhooks/new', { url: 'ftp://x', events: 'shipment.created' });
  await ask(`${path}/delete`, {});

  const entries = await listAudit(http.db, { accountId: id, action: 'webhooks' }, { limit: 10 });

  const account = { kind: 'account', id: String(id) };
  const target = { kind: 'webhook', id: webhook };
  t.deepEqual(
    entries.map((entry) => ({ action: entry.action, target: entry.target, after: entry.after })).reverse(),
    [
      { action: 'webhooks.create', target: account, after: { outcome: `webhook ${webhook}` } },
      { action: 'webhooks.change', target, after: { url: `${url}/2`, outcome: 'done' } },
      {
        action: 'webhooks.create',
        target: account,
        after: { outcome: 'failed: The url field must begin with https:// or http://.' },
      },
      { action: 'webhooks.delete', target, after: { outcome: 'done' } },
    ],
  );
  t.deepEqual(entries.at(-2)?.before, { url });
  t.like(entries[0]?.before, { id: webhook, url: `${url}/2`, is_active: true });
  t.true(entries.every(({ actor }) => actor.kind === 'panel' && actor.name.includes('@')));
  t.notRegex(JSON.stringify(entries), new RegExp(`whsec_|${licenses[0]?.key}`));
});

test('forms show the API’s errors at the field and keep what was typed', async (t) => {
  const { ask } = await owner({ licenses: 1 });
  const cases: [path: string, form: Record<string, string>, field: string][] = [
    ['/webhooks/new', { url: 'ftp://x', events: 'shipment.created' }, 'url'],
    ['/exports', { created_from: 'yesterday' }, 'created_from'],
    ['/notifications/settings', { reply_to: 'no address' }, 'reply_to'],
    ['/notifications/templates/new', { subject: '{{ unknown }}', body: 'Text' }, 'subject'],
    ['/notifications/templates/new', { subject: 'News', body: '<script>' }, 'body'],
    ['/notifications/templates/new/preview', { subject: 'News', body: '{{ unknown }}' }, 'body'],
    ['/batches/new', { items: '[{"order":' }, 'items'],
    ['/batches/new', { items: '[]' }, 'items'],
  ];
  for (const [path, form, field] of cases) {
    const { status, text } = await ask(path, form);
    t.is(status, 422, path);
    t.true(text.includes(`id="${field}-error"`), `${path}: ${field}`);
    const typed = (form[field] ?? '')
      .replaceAll('<', '&lt;')
      .replaceAll('>', '&gt;')
      .replaceAll('"', '&quot;');
    t.true(text.includes(typed), `${path} keeps ${typed}`);
  }
});

test('script that asks without a session gets a status alone, and its page stays', async (t) => {
  const { id } = await http.account();
  const headers = { 'hx-request': 'true', 'hx-request-type': 'partial' };
  const answer = await fetch(`${http.url}/panel/a/${id}/batches`, { headers, redirect: 'manual' });
  t.is(answer.status, 401);
  t.is(await answer.text(), '');
});
