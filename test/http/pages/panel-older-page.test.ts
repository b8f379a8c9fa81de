import { randomUUID } from 'node:crypto';
import test from 'ava';
import { eventually } from '../../support/conditions.js';
import { type HttpStack, startHttp } from '../../support/http.js';
import { askPanel, cookieOf, type PanelAnswer } from '../../support/panel.js';
import { formsIn } from '../../support/panel-forms.js';

let http: HttpStack;
test.before(async () => {
  http = await startHttp({ config: { webhookAllowCidrs: ['127.0.0.0/8'] } });
});
test.after.always(() => http?.close());

/** An account with a license and a webhook, and its pages as an administrator sees them. */
async function merchant() {
  const { account, license } = await http.own();
  const cookie = await cookieOf(http, 'administrator');
  const json = { url: 'http://127.0.0.1:9/a', events: ['shipment.created'] };
  const made = await http.send('POST', '/webhooks', { as: account, json });
  const base = `/panel/a/${account.id}`;
  const open = async (path: string, button: RegExp) => {
    const page = await askPanel(http.url + base + path, { headers: { cookie } });
    const form = formsIn(page.text).find(({ buttons }) => buttons.some(({ text }) => button.test(text)));
    if (form === undefined) throw new Error(`no form ${button} on ${path}`);
    return form;
  };
  const send = (action: string, form: [string, string][]) =>
    askPanel(http.url + action, { form, headers: { cookie } });
  return { account, license, webhook: made.body.data, open, send };
}

/** The fields of a form with other values. */
function withValues(fields: readonly [string, string][], values: Record<string, string>): [string, string][] {
  return [...fields.filter(([name]) => !(name in values)), ...Object.entries(values)];
}

test('POST /webhooks/:webhook: an older page changes only what was changed there', async (t) => {
  const { account, license, webhook, open, send } = await merchant();
  const form = await open(`/webhooks/${webhook.id}?license=${license.key}`, /^Save$/);
  const json = { url: 'http://127.0.0.1:9/b', is_active: false };
  await http.send('PATCH', `/webhooks/${webhook.id}`, { as: account, json });

  const answer = await send(form.action, [...form.fields, ['events', 'shipment.delivered']]);

  t.is(answer.status, 303, answer.text);
  const { body } = await http.send('GET', `/webhooks/${webhook.id}`, { as: account });
  t.like(body.data, { ...json, events: ['shipment.created', 'shipment.delivered'] });
});

test('POST /webhooks/:webhook: 422 shows the present value when a field was changed here and meanwhile', async (t) => {
  const { account, license, webhook, open, send } = await merchant();
  const form = await open(`/webhooks/${webhook.id}?license=${license.key}`, /^Save$/);
  const json = { url: 'http://127.0.0.1:9/b', is_active: false };
  await http.send('PATCH', `/webhooks/${webhook.id}`, { as: account, json });
  const mine = withValues(form.fields, { url: 'http://127.0.0.1:9/c' });

  const refused = await send(form.action, mine);

  t.is(refused.status, 422);
  t.regex(refused.text, /Changed meanwhile to: http:\/\/127\.0\.0\.1:9\/b\./);
  const again = formsIn(refused.text).find(({ action }) => action === form.action);
  t.is(new URLSearchParams(again?.fields).get('url'), 'http://127.0.0.1:9/c');
  const saved = await send(form.action, again?.fields ?? []);
  t.is(saved.status, 303);
  const { body } = await http.send('GET', `/webhooks/${webhook.id}`, { as: account });
  // Changes made elsewhere meanwhile stay.
  t.like(body.data, { url: 'http://127.0.0.1:9/c', is_active: false });
});

test('POST /settings: what another tab has saved since stays', async (t) => {
  const { account, open, send } = await merchant();
  const [first, second] = [await open('/settings', /^Save$/), await open('/settings', /^Save$/)];

  await send(first.action, withValues(first.fields, { supportPhone: '0501234567' }));
  const answer = await send(second.action, withValues(second.fields, { supportEmail: 'help@shop.example' }));

  t.is(answer.status, 303, answer.text);
  const [row] = await http.db.select('SELECT support_phone, support_email FROM accounts WHERE id = ?', [
    account.id,
  ]);
  t.deepEqual({ ...row }, { support_phone: '0501234567', support_email: 'help@shop.example' });
});

test('POST /settings: of two contacts that are saved at once, both stay', async (t) => {
  const { account, open, send } = await merchant();
  const form = await open('/settings', /^Save$/);

  const answers = await atOnce(`SELECT id FROM accounts WHERE id = ${account.id}`, [
    () => send(form.action, withValues(form.fields, { hours: '9-17', key: randomUUID() })),
    () => send(form.action, withValues(form.fields, { website: 'shop.example', key: randomUUID() })),
  ]);

  t.deepEqual(answers, [303, 303]);
  const saved = new URLSearchParams((await open('/settings', /^Save$/)).fields);
  t.is(saved.get('hours'), '9-17');
  t.is(saved.get('website'), 'shop.example');
});

test('POST /notifications/settings: of two fields that are saved at once, both stay', async (t) => {
  const { account, license, open, send } = await merchant();
  const json = { license_key: license.key, enabled: true, events: [] };
  await http.send('PUT', '/notifications/settings', { as: account, json });
  const path = `/notifications?license=${license.key}`;
  const form = await open(path, /^Save$/);

  const answers = await atOnce(
    `SELECT license_id FROM notification_settings WHERE license_id = ${license.id}`,
    [
      () => send(form.action, withValues(form.fields, { from_name: 'Flowers', key: randomUUID() })),
      () => send(form.action, withValues(form.fields, { reply_to: 'a@b.example', key: randomUUID() })),
    ],
  );

  t.deepEqual(answers, [303, 303]);
  const { body } = await http.send('GET', `/notifications/settings?license_key=${license.key}`, {
    as: account,
  });
  t.like(body.data, { enabled: true, from_name: 'Flowers', reply_to: 'a@b.example' });
});

/** Statuses of forms that have all been read before one of them is saved: until then the record's row is locked. */
async function atOnce(row: string, sends: readonly (() => Promise<PanelAnswer>)[]): Promise<number[]> {
  const table = /FROM (\w+)/.exec(row)?.[1];
  const waiting = `SELECT COUNT(*) AS found FROM information_schema.innodb_trx
    WHERE trx_state = 'LOCK WAIT' AND trx_query LIKE '%${table}%'`;
  let answers: Promise<PanelAnswer>[] = [];
  await http.db.transaction(async (tx) => {
    await tx.select(`${row} FOR UPDATE`);
    answers = sends.map((send) => send());
    const all = async () => Number((await http.db.select(waiting))[0]?.found) >= sends.length;
    await eventually(all, 'all to wait');
  });
  return (await Promise.all(answers)).map(({ status }) => status);
}

test('POST /notifications/settings: an event ticked elsewhere stays ticked', async (t) => {
  const { account, license, open, send } = await merchant();
  const path = `/notifications?license=${license.key}`;
  const [first, second] = [await open(path, /^Save$/), await open(path, /^Save$/)];

  await send(first.action, withValues(first.fields, { from_name: 'Flowers' }));
  const answer = await send(second.action, withValues(second.fields, { reply_to: 'help@shop.example' }));

  t.is(answer.status, 303, answer.text);
  const { body } = await http.send('GET', '/notifications/settings', { as: account });
  t.like(body.data, { from_name: 'Flowers', reply_to: 'help@shop.example' });
});
