import { randomUUID } from 'node:crypto';
import test from 'ava';
import type { CarrierAccount } from '../../../src/carriers/contract.js';
import { type HttpStack, startHttp } from '../../support/http.js';
import { askPanel, cookieOf } from '../../support/panel.js';

const carrier: Omit<CarrierAccount, 'licenseId'> = {
  settings: { customer_number: '1234', shipment_type: '35', base_url: 'http://127.0.0.1:9' },
  secrets: { token: 'sandbox-token' },
  collectFrom: { street: 'HaMasger', number: '1', city: 'Tel Aviv', company: 'Acme' },
};

let http: HttpStack;
test.before(async () => {
  http = await startHttp({ app: () => ({ accounts: async (licenseId) => ({ licenseId, ...carrier }) }) });
});
test.after.always(() => http?.close());

/** A packer of a new account whose license allows several shipments of an order. */
async function packer(language = 'en') {
  const { id } = await http.account();
  const license = await http.license(id, { multipleShipment: true });
  const cookie = await cookieOf(http, 'staff', id);
  await http.db.run('UPDATE panel_users SET language = ? WHERE account_id = ?', [language, id]);
  const order = randomUUID();
  const fields = { license: String(license.id), contact_name: 'Dana', contact_phone: '0501234567', order };
  const send = (more: Record<string, string> = {}) =>
    askPanel(`${http.url}/panel/a/${id}/shipments/new`, {
      form: { ...fields, street: 'Herzl', city: 'Haifa', ...more },
      headers: { cookie },
    });
  const created = () => http.created.filter(({ creation }) => creation.accountId === id).length;
  return { id, license, order, send, created };
}

const seenIn = (text: string) => /name="seen" value="([^"]+)"/.exec(text)?.[1] ?? '';

test('POST /panel/a/{}/shipments/new: asks before a second parcel of an order, and makes it when sent again', async (t) => {
  const { id, license, order, send, created } = await packer();
  const first = await http.shipment(id, license, { orderId: order });

  const asked = await send();

  t.is(asked.status, 200, asked.text);
  t.regex(asked.text, /The order has an active shipment of this kind already/);
  t.regex(asked.text, /Nothing is created yet/);
  t.is(created(), 0);
  const made = await send({ seen: seenIn(asked.text) });
  t.is(made.status, 303, made.text);
  t.is(created(), 1);
  t.not(made.to, `/panel/a/${id}/shipments/${first.uuid}?notice=created`);
});

test('POST /panel/a/{}/shipments/new: asks again where another warning has come since', async (t) => {
  const { id, license, order, send, created } = await packer();
  const asked = await send({ note: 'long '.repeat(150) });
  t.regex(asked.text, /longer than the carrier/);
  await http.shipment(id, license, { orderId: order });

  const again = await send({ note: 'long '.repeat(150), seen: seenIn(asked.text) });

  t.is(again.status, 200);
  t.regex(again.text, /The order has an active shipment/);
  t.is(created(), 0);
});

test('POST /panel/a/{}/shipments/new: without anything to warn of it creates at once', async (t) => {
  const { send, created } = await packer();

  const made = await send();

  t.is(made.status, 303, made.text);
  t.is(created(), 1);
});

test('POST /panel/a/{}/shipments/new: a form whose creation has begun is not asked about its own parcel', async (t) => {
  const { id, license, order, send } = await packer();
  const key = randomUUID();
  const { uuid } = await http.shipment(id, license, { orderId: order });
  await http.db.run(
    `INSERT INTO idempotency_keys (account_id, api, key_hash, fingerprint, shipment_uuid, expires_at)
     VALUES (?, 'v2', UNHEX(SHA2(?, 256)), UNHEX(SHA2('other', 256)), ?, NOW(6) + INTERVAL 1 DAY)`,
    [id, `k:${key}`, uuid],
  );

  const repeated = await send({ key });

  t.is(repeated.status, 422, repeated.text);
  t.notRegex(repeated.text, /Nothing is created yet/);
});

for (const [language, words] of [
  ['he', /זו תהיה חבילה שנייה/],
  ['ar', /ستكون هذه طرداً ثانياً/],
] as const) {
  test(`POST /panel/a/{}/shipments/new: warns in the language of the page: ${language}`, async (t) => {
    const { id, license, order, send } = await packer(language);
    await http.shipment(id, license, { orderId: order });

    const { text } = await send();

    t.regex(text, words);
  });
}
