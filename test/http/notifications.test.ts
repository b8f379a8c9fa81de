import { randomUUID } from 'node:crypto';
import test from 'ava';
import { insertNotification } from '../../src/db/queries/mails/notification-logs.js';
import { startHttp } from '../support/http.js';

const http = await startHttp();
const { account, license } = await http.own();
test.after.always(() => http.close());

const created = { event: 'shipment.created', locale: 'en', subject: 'News', body: '<p>Hi</p>' };

async function ownAccount() {
  const owner = await http.account();
  return { owner, key: await http.license(owner.id) };
}

test('a license that never chose has notifications off, and a choice replaces all of it', async (t) => {
  const { owner } = await ownAccount();

  const before = await http.send('GET', '/notifications/settings', { as: owner });
  const put = await http.send('PUT', '/notifications/settings', {
    as: owner,
    json: { enabled: true, events: ['shipment.delivered'], from_name: ' Acme ', reply_to: 'help@acme.test' },
  });
  const again = await http.send('PUT', '/notifications/settings', {
    as: owner,
    json: { enabled: true, events: [] },
  });
  const after = await http.send('GET', '/notifications/settings', { as: owner });

  t.deepEqual(before.body.data, {
    enabled: false,
    events: [],
    from_name: null,
    reply_to: null,
    updated_at: null,
  });
  t.like(put.body.data, {
    enabled: true,
    events: ['shipment.delivered'],
    from_name: 'Acme',
    reply_to: 'help@acme.test',
  });
  t.like(again.body.data, { events: [], from_name: null, reply_to: null });
  t.deepEqual(after.body, again.body);
});

test('settings are validated', async (t) => {
  const answer = await http.send('PUT', '/notifications/settings', {
    as: account,
    json: { enabled: 'yes', events: ['shipment.lost'], reply_to: 'a@b, c@d', from_name: 'x'.repeat(101) },
  });

  t.is(answer.status, 422);
  t.deepEqual(Object.keys(answer.body.error.fields).sort(), ['enabled', 'events.0', 'from_name', 'reply_to']);
});

test('what becomes a line of a mail’s head is one line', async (t) => {
  const { owner } = await ownAccount();
  const settings = (from_name: string, reply_to = 'help@acme.test') =>
    http.send('PUT', '/notifications/settings', {
      as: owner,
      json: { enabled: true, events: [], from_name, reply_to },
    });
  const template = (subject: string) =>
    http.send('POST', '/notifications/templates', {
      as: owner,
      json: { event: 'shipment.created', locale: 'en', subject, body: 'Hello' },
    });

  for (const control of ['\n', '\r', '\t', '\u0000', '\u001b', '\u007f', '\u0085']) {
    const [named, answered, titled] = [
      await settings(`Acme${control}Bcc: all@acme.test`),
      await settings('Acme', `help@acme.test${control}`),
      await template(`Your parcel${control}`),
    ];

    t.deepEqual([named.status, answered.status, titled.status], [422, 422, 422], JSON.stringify(control));
    // A NUL is refused for the whole body, with another message.
    if (control === '\u0000') continue;
    t.deepEqual(named.body.error.fields, {
      from_name: ['The from_name field must be one line without control characters.'],
    });
    t.deepEqual(Object.keys(answered.body.error.fields), ['reply_to']);
    t.deepEqual(titled.body.error.fields, {
      subject: ['The subject field must be one line without control characters, and not blank.'],
    });
  }
  t.is((await settings('מפעלי השליחויות')).status, 200);
});

test('several licenses and no license_key is 422, and a foreign key 403', async (t) => {
  const { owner } = await ownAccount();
  await http.license(owner.id);

  const ambiguous = await http.send('GET', '/notifications/settings', { as: owner });
  const foreign = await http.send('GET', `/notifications/settings?license_key=${license.key}`, { as: owner });

  t.is(ambiguous.status, 422);
  t.is(foreign.status, 403);
});

test('a template lives: created, read, changed, listed, deleted', async (t) => {
  const { owner } = await ownAccount();

  const made = await http.send('POST', '/notifications/templates', { as: owner, json: created });
  const { id } = made.body.data;
  const read = await http.send('GET', `/notifications/templates/${id}`, { as: owner });
  const changed = await http.send('PATCH', `/notifications/templates/${id}`, {
    as: owner,
    json: { subject: 'Better', id: 1, account_id: 1 },
  });
  const listed = await http.send('GET', '/notifications/templates?filter[event]=shipment.created', {
    as: owner,
  });
  const deleted = await http.send('DELETE', `/notifications/templates/${id}`, { as: owner });
  const gone = await http.send('DELETE', `/notifications/templates/${id}`, { as: owner });
  const builtin = await http.send('GET', '/notifications/templates', { as: owner });

  t.is(made.status, 201);
  t.like(made.body.data, { ...created, is_builtin: false });
  t.deepEqual(read.body, made.body);
  t.like(changed.body.data, { id, subject: 'Better', body: '<p>Hi</p>' });
  t.deepEqual(
    listed.body.data.map((one: { locale: string; is_builtin: boolean }) => [one.locale, one.is_builtin]),
    [
      ['ar', true],
      ['en', false],
      ['he', true],
    ],
  );
  t.is(deleted.status, 204);
  t.is(gone.status, 404);
  t.is(builtin.body.data.length, 12);
  t.true(builtin.body.data.every((one: { id: null }) => one.id === null));
});

test('the bodies of all templates of a license have at most 1 MiB', async (t) => {
  const { owner: as } = await ownAccount();
  const { owner: other } = await ownAccount();
  const body = 'א'.repeat(65_536);
  const save = (locale: string) =>
    http.send('POST', '/notifications/templates', { as, json: { ...created, locale, body } });
  const saved = [];
  for (const locale of ['aa', 'ab', 'ac', 'ad', 'ae', 'af', 'ag', 'ah']) saved.push(await save(locale));
  const path = `/notifications/templates/${saved[0]?.body.data.id}`;
  const change = (text: string) => http.send('PATCH', path, { as, json: { body: text } });

  const refused = await save('ai');
  const shorter = await change('short');
  const longer = await change(body);
  const fits = await http.send('POST', '/notifications/templates', {
    as: other,
    json: { ...created, body },
  });

  t.deepEqual(
    saved.map(({ status }) => status),
    saved.map(() => 201),
  );
  t.is(refused.status, 422);
  t.deepEqual(refused.body.error.fields, {
    body: ['The bodies of all templates of a license must not exceed 1024 KiB.'],
  });
  t.deepEqual([shorter.status, longer.status, fits.status], [200, 200, 201]);
});

test('a built-in text can be stored as one’s own', async (t) => {
  const { owner } = await ownAccount();
  const { body } = await http.send('GET', '/notifications/templates', { as: owner });

  for (const { event, locale, subject, body: text } of body.data) {
    const answer = await http.send('POST', '/notifications/templates', {
      as: owner,
      json: { event, locale, subject, body: text },
    });
    t.is(answer.status, 201, answer.text);
  }
});

test('a second template for one event and language is 409', async (t) => {
  const { owner } = await ownAccount();
  await http.send('POST', '/notifications/templates', { as: owner, json: created });
  const hebrew = await http.send('POST', '/notifications/templates', {
    as: owner,
    json: { ...created, locale: 'he' },
  });

  const second = await http.send('POST', '/notifications/templates', { as: owner, json: created });
  const moved = await http.send('PATCH', `/notifications/templates/${hebrew.body.data.id}`, {
    as: owner,
    json: { locale: 'en' },
  });

  t.is(second.status, 409);
  t.is(second.body.error.code, 'duplicate_request');
  t.is(moved.status, 409);
});

test('a template that cannot be rendered is 422 and names what is wrong', async (t) => {
  const { owner } = await ownAccount();
  const made = await http.send('POST', '/notifications/templates', { as: owner, json: created });
  const bad = { subject: 'Hi {{ recipient.nmae }}', body: '<script>x</script>' };

  const answers = await Promise.all([
    http.send('POST', '/notifications/templates', { as: owner, json: { ...created, locale: 'he', ...bad } }),
    http.send('PATCH', `/notifications/templates/${made.body.data.id}`, { as: owner, json: bad }),
    http.send('POST', `/notifications/templates/${made.body.data.id}/preview`, { as: owner, json: bad }),
  ]);

  for (const answer of answers) {
    t.is(answer.status, 422);
    t.deepEqual(answer.body.error.fields, {
      subject: ['The subject field uses the unknown placeholder {{ recipient.nmae }}.'],
      body: ['The body field uses the tag <script>, which is not allowed.'],
    });
  }
});

test('a template with placeholders of another program is 422 and names them', async (t) => {
  const { owner } = await ownAccount();
  const json = { ...created, subject: 'Hi {name}', body: 'Order %order_number% is on its way.' };

  const answer = await http.send('POST', '/notifications/templates', { as: owner, json });

  t.is(answer.status, 422, answer.text);
  t.deepEqual(answer.body.error.fields, {
    subject: [
      'The subject field has {name}, which would be sent as it is; write placeholders like {{ order.number }}.',
    ],
    body: [
      'The body field has %order_number%, which would be sent as it is; write placeholders like {{ order.number }}.',
    ],
  });
});

test('a body has at most 200 placeholders, wherever they are', async (t) => {
  const { owner } = await ownAccount();
  const bodyOf = (count: number) =>
    `<p>${'{{order.id}}'.repeat(count - 2)}{{#order.id}}x{{/order.id}}</p><a href="https://x.test/{{order.id}}">x</a>`;
  const made = await http.send('POST', '/notifications/templates', {
    as: owner,
    json: { ...created, body: bodyOf(200) },
  });
  const path = `/notifications/templates/${made.body.data?.id}`;
  const json = { body: bodyOf(201) };

  const answers = await Promise.all([
    http.send('POST', '/notifications/templates', { as: owner, json: { ...created, locale: 'he', ...json } }),
    http.send('PATCH', path, { as: owner, json }),
    http.send('POST', `${path}/preview`, { as: owner, json }),
  ]);
  const fits = await http.send('POST', `${path}/preview`, { as: owner });

  t.is(made.status, 201);
  for (const answer of answers) {
    t.is(answer.status, 422);
    t.deepEqual(answer.body.error.fields, {
      body: ['The body field must not have more than 200 placeholders; it has 201.'],
    });
  }
  t.is(fits.status, 200);
});

test('a preview that its values make too long is refused', async (t) => {
  const { owner, key } = await ownAccount();
  const orderId = await http.order(owner.id, key, '"'.repeat(191));
  const { uuid } = await http.shipment(owner.id, key, { columns: { order_id: orderId } });
  const made = await http.send('POST', '/notifications/templates', { as: owner, json: created });
  const body = '"'.repeat(62_000) + '{{order.id}}'.repeat(200);

  const answer = await http.send('POST', `/notifications/templates/${made.body.data.id}/preview`, {
    as: owner,
    json: { shipment: uuid, body },
  });

  t.is(answer.status, 422);
  t.deepEqual(answer.body.error.fields, {
    body: ['The body field makes a mail of more than 524288 characters.'],
  });
});

test('a template body is validated by its schema', async (t) => {
  const answer = await http.send('POST', '/notifications/templates', {
    as: account,
    json: { event: 'ping', locale: 'english', subject: ' ', body: 'x'.repeat(65_537) },
  });

  t.is(answer.status, 422);
  t.deepEqual(Object.keys(answer.body.error.fields).sort(), ['body', 'event', 'locale', 'subject']);
});

test('a preview is rendered with a shipment or with made-up data', async (t) => {
  const { owner, key } = await ownAccount();
  const { uuid } = await http.shipment(owner.id, key, { columns: { recipient_name: '<b>Noa</b>' } });
  const made = await http.send('POST', '/notifications/templates', {
    as: owner,
    json: { ...created, subject: 'For {{ recipient.name }}', body: '<p>{{ recipient.name }}</p>' },
  });
  const path = `/notifications/templates/${made.body.data.id}/preview`;

  const sample = await http.send('POST', path, { as: owner });
  const real = await http.send('POST', path, { as: owner, json: { shipment: uuid } });
  const unsaved = await http.send('POST', path, { as: owner, json: { subject: 'To {{ order.number }}' } });

  t.is(sample.body.data.subject, 'For Dana Levi');
  t.is(real.body.data.subject, 'For <b>Noa</b>');
  t.true(real.body.data.html.includes('<p><bdi>&lt;b&gt;Noa&lt;/b&gt;</bdi></p>'));
  t.is(unsaved.body.data.subject, 'To #1001');
});

for (const shipment of ['é', 'x', '', `${'é'.repeat(36)}`]) {
  test(`a preview with ${JSON.stringify(shipment)} for a shipment is refused`, async (t) => {
    const { owner } = await ownAccount();
    const made = await http.send('POST', '/notifications/templates', { as: owner, json: created });

    const answer = await http.send('POST', `/notifications/templates/${made.body.data.id}/preview`, {
      as: owner,
      json: { shipment },
    });

    t.is(answer.status, 422, answer.text);
    t.deepEqual(Object.keys(answer.body.error.fields), ['shipment']);
  });
}

test('a preview with another account’s shipment is like one with none', async (t) => {
  const { owner } = await ownAccount();
  const theirs = await http.shipment(account.id, license);
  const made = await http.send('POST', '/notifications/templates', { as: owner, json: created });
  const path = `/notifications/templates/${made.body.data.id}/preview`;

  const foreign = await http.send('POST', path, { as: owner, json: { shipment: theirs.uuid } });
  const missing = await http.send('POST', path, { as: owner, json: { shipment: randomUUID() } });

  t.is(foreign.status, 422);
  t.truthy(foreign.body.error.fields.shipment);
  t.is(foreign.text, missing.text);
});

test('the log pages without gaps, filters, and refuses a foreign cursor', async (t) => {
  const { owner, key } = await ownAccount();
  const { uuid } = await http.shipment(owner.id, key);
  const [row] = await http.db.select('SELECT id FROM shipments WHERE uuid = ?', [uuid]);
  const record = (event: string) =>
    insertNotification(http.db, {
      accountId: owner.id,
      licenseId: key.id,
      shipmentId: Number(row?.id),
      event,
      eventId: randomUUID(),
      data: {},
    });
  for (let n = 0; n < 5; n += 1) await record('shipment.created');
  await record('shipment.delivered');

  const first = await http.send('GET', '/notifications/logs?per_page=4', { as: owner });
  await record('shipment.cancelled');
  const next = await http.send('GET', first.body.links.next.replace(/^.*\/api\/v2/, ''), { as: owner });
  const back = await http.send('GET', next.body.links.prev.replace(/^.*\/api\/v2/, ''), { as: owner });
  const delivered = await http.send(
    'GET',
    `/notifications/logs?filter[event]=shipment.delivered&filter[status]=pending&filter[shipment]=${uuid.toUpperCase()}`,
    { as: owner },
  );
  const sent = await http.send('GET', '/notifications/logs?filter[status]=sent', { as: owner });
  const foreign = await http.send('GET', `/notifications/logs?cursor=${first.body.meta.next_cursor}`, {
    as: account,
  });

  t.is(first.body.data.length, 4);
  t.is(next.body.data.length, 2);
  t.deepEqual(back.body.data, first.body.data);
  t.is(new Set([...first.body.data, ...next.body.data].map((one) => one.id)).size, 6);
  t.is(delivered.body.data.length, 1);
  t.like(delivered.body.data[0], { shipment_uuid: uuid, status: 'pending', attempts: 0, recipient: null });
  t.is(sent.body.data.length, 0);
  t.is(foreign.status, 422);
});

test('an event is recorded once, however often it is reported', async (t) => {
  const { owner, key } = await ownAccount();
  const { uuid } = await http.shipment(owner.id, key);
  const [row] = await http.db.select('SELECT id FROM shipments WHERE uuid = ?', [uuid]);
  const event = {
    accountId: owner.id,
    licenseId: key.id,
    shipmentId: Number(row?.id),
    event: 'shipment.created',
    eventId: randomUUID(),
    data: {},
  };

  await insertNotification(http.db, event);
  await insertNotification(http.db, event);

  const { body } = await http.send('GET', '/notifications/logs', { as: owner });
  t.is(body.data.length, 1);
});
