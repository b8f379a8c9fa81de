import test from 'ava';
import { isStatusCode } from '../../../src/domain/statuses.js';
import { readConfig } from '../../../tools/carrier-template/config.js';
import {
  ACME_STATUSES,
  checkShipment,
  parcelBody,
  readBooking,
  readCancellation,
  readFound,
  readParcel,
} from '../../../tools/carrier-template/mapping.js';
import { HOSTILE } from '../../carriers/hostile.js';
import { account, booking, recipient } from '../../carriers/support.js';

const SHOP = { street: 'אלנבי', number: '1', city: 'תל אביב-יפו', company: 'חנות לדוגמה' };
const NONE = new Map();

const reply = (json: unknown, status = 200) => ({ status, json });

test('a delivery goes from the shop to the recipient, a collection the other way', (t) => {
  const shop = { name: 'חנות לדוגמה', city: 'תל אביב-יפו', street: 'אלנבי', number: '1' };
  const customer = {
    name: 'דנה לוי',
    phone: '0501234567',
    city: 'תל אביב-יפו',
    street: 'הרצל 12',
  };
  const request = { ...booking(), reference: 'ref-1' };

  t.deepEqual(parcelBody(request, SHOP), {
    reference: 'ref-1',
    packages: 1,
    day: '2026-11-22',
    from: shop,
    to: customer,
    order: '1001',
    note: 'כניסה א קומה 3 דירה 9',
  });
  t.like(parcelBody(booking({ serviceType: 2 }), SHOP), { from: customer, to: shop });
});

test('no text brings control characters or lone surrogates', (t) => {
  for (const text of HOSTILE) {
    const to = recipient({ name: text, street: text, number: text, company: text });
    const body = JSON.stringify(parcelBody(booking({ recipient: to, note: text, extraNote: text }), SHOP));

    t.notRegex(body, /\\u00[01]|\\u202|\\ud8/);
  }
});

test('what cannot be sent is reported by its path', (t) => {
  const cod = { amount: '5.00', currency: 'ILS' };
  const to = recipient({ city: ' ', street: 'x'.repeat(700) });

  const errors = checkShipment(booking({ recipient: to, cod, pickupPointId: '7', returnType: 2 }));

  t.deepEqual(Object.keys(errors), [
    'ship_data.city',
    'ship_data.street',
    'ship_data.pickup',
    'ship_data.cod_amount',
    'ship_data.return',
  ]);
  t.deepEqual(checkShipment(booking()), {});
});

test('a success without a code is unknown, a reference used before a duplicate', (t) => {
  for (const json of [undefined, null, [], 'ok', {}, { code: '' }, { code: 'two words' }]) {
    t.is(readBooking(reply(json, 201)).kind, 'unknown', JSON.stringify(json));
  }
  t.is(readBooking(reply({ error: { code: 'duplicate', message: 'Used.' } }, 409)).kind, 'duplicate');
  t.like(readBooking(reply({ error: { code: 'invalid', message: 'No street.' } }, 422)), {
    kind: 'rejected',
    code: 'invalid',
    text: 'No street.',
  });
});

test('only an empty list says that nothing is booked', (t) => {
  const missing = { kind: 'accepted', value: null };

  t.deepEqual(readFound(reply({ parcels: [] }), 'ref-1'), missing);
  t.deepEqual(readFound(reply({ parcels: [{ code: '9', reference: 'ref-2' }] }), 'ref-1'), missing);
  t.like(readFound(reply({ parcels: [{ code: '9', reference: 'ref-1' }] }), 'ref-1'), {
    value: { trackingCode: '9' },
  });
  for (const json of [undefined, {}, { parcels: null }, { parcels: [{ reference: 'ref-1' }] }]) {
    t.is(readFound(reply(json), 'ref-1').kind, 'unknown', JSON.stringify(json));
  }
});

test('statuses are read in the meaning of the table, or of the license', (t) => {
  const events = [
    { status: 'PICKED_UP', at: '2026-11-22T10:00:00Z', text: 'Fetched' },
    { status: 'CUSTOMS', at: '2026-11-22T12:00:00+02:00' },
    { status: 'DELIVERED', at: 'yesterday' },
  ];
  const codes = (meanings: Parameters<typeof readParcel>[1]) => {
    const read = readParcel(reply({ code: '9', status: 'CUSTOMS', events }), meanings);
    return read.kind === 'accepted'
      ? read.value?.events.map(({ code, occurredAt }) => [code, occurredAt])
      : read;
  };
  const at = '2026-11-22T10:00:00.000000Z';

  t.deepEqual(codes(NONE), [
    ['collected', at],
    [undefined, at],
  ]);
  t.deepEqual(codes(new Map([['CUSTOMS', 'in_transit']])), [
    ['collected', at],
    ['in_transit', at],
  ]);
  t.true([...ACME_STATUSES.values()].every(isStatusCode));
});

test('a parcel is cancelled when the carrier says so, and only then', (t) => {
  t.is(readCancellation(reply({ status: 'CANCELLED' })).kind, 'accepted');
  t.is(readCancellation(reply({ status: 'BOOKED' })).kind, 'unknown');
  t.is(readCancellation(reply(undefined)).kind, 'unknown');
  t.is(readCancellation(reply({ error: { message: 'Too late' } }, 409)).kind, 'rejected');
});

test('settings are read strictly, and the token must be there', (t) => {
  const read = (settings: object, secrets: Record<string, string> = { token: 'a' }) =>
    readConfig(account({ base_url: 'http://h', ...settings }, secrets));

  for (const wrong of [
    { base_url: 'ftp://h' },
    { unheard_of: 1 },
    { statuses: { X: 'arrived' } },
    { timeout_ms: 1 },
  ]) {
    t.is(read(wrong), null, JSON.stringify(wrong));
  }
  t.is(read({}, {}), null);
  t.like(read({}), { secret: 'a', timeoutMs: 15_000 });
});
