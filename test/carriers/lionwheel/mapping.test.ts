import test from 'ava';
import { readConfig } from '../../../src/carriers/lionwheel/config.js';
import { checkShipment, regionBody, taskBody } from '../../../src/carriers/lionwheel/mapping.js';
import type { ShipmentDetails } from '../../../src/domain/shipment.js';
import { HOSTILE } from '../hostile.js';
import { booking, lionwheelAccount, recipient } from '../support.js';

const SHOP = { street: 'אלנבי', number: '1', city: 'תל אביב-יפו', company: 'חנות לדוגמה' };

function config(settings: Record<string, unknown> = {}) {
  const read = readConfig(lionwheelAccount('http://127.0.0.1:1', settings));
  if (read === null) throw new Error('The settings are not valid.');
  return read;
}

function bodyOf(overrides: Partial<ShipmentDetails>, settings: Record<string, unknown> = {}) {
  return taskBody({ ...booking(overrides), reference: 'ref-1' }, config(settings), SHOP);
}

test('taskBody: a delivery goes from the shop to the recipient, under our reference', (t) => {
  t.deepEqual(bodyOf({ note: 'ליד הדלת', extraNote: 'שביר' }), {
    original_order_id: 'ref-1',
    source_name: 'חנות לדוגמה',
    source_recipient_name: 'חנות לדוגמה',
    source_city: 'תל אביב-יפו',
    source_street: 'אלנבי',
    source_number: '1',
    destination_recipient_name: 'דנה לוי',
    destination_phone: '0501234567',
    destination_email: 'dana@example.com',
    destination_city: 'תל אביב-יפו',
    destination_street: 'הרצל',
    destination_number: '12',
    destination_floor: '3',
    destination_apartment: '9',
    destination_entrance: 'א',
    destination_notes: 'ליד הדלת',
    notes: '#1001 שביר',
    pickup_at: '22/11/2026',
    packages_quantity: 1,
    is_roundtrip: false,
    urgency: 'REGULAR',
  });
});

test('taskBody: a collection goes the other way, a round trip both', (t) => {
  const collection = bodyOf({ serviceType: 2, note: 'ring' });

  t.like(collection, {
    source_recipient_name: 'דנה לוי',
    source_city: 'תל אביב-יפו',
    source_notes: 'כניסה א ring',
    destination_name: 'חנות לדוגמה',
    destination_street: 'אלנבי',
  });
  t.is(collection.destination_entrance, undefined);
  t.true(bodyOf({ returnType: 2 }).is_roundtrip);
});

test('taskBody: amounts in agorot, points by uuid, urgency by name', (t) => {
  const cash = (amount: string) =>
    bodyOf({ cod: { amount, currency: 'ILS' } }, { cod_type: 2 }).money_collect;

  t.deepEqual(['120.50', '0.07', '1.10', '4.35', '1234567.89'].map(cash), [12050, 7, 110, 435, 123456789]);
  t.is(bodyOf({ cod: { amount: '5.00', currency: 'ILS' } }, { cod_type: 2 }).cod_type, 2);
  t.is(bodyOf({}).money_collect, undefined);
  t.is(bodyOf({ pickupPointId: 'u-1' }).self_pickup_point_uuid, 'u-1');
  t.is(bodyOf({ urgent: true }).urgency, 'URGENT');
  t.is(bodyOf({}, { company_id: 41 }).company_id, 41);
});

test('taskBody: sends no control characters or lone surrogates', (t) => {
  for (const text of HOSTILE) {
    const to = recipient({ name: text, street: text, number: text, company: text });
    const body = bodyOf({ recipient: to, note: text, extraNote: text });

    const texts = Object.values(body).filter((value) => typeof value === 'string');
    t.true(texts.every((value) => !/[\p{Cc}\p{Cs}\u202A-\u202E]/u.test(value)));
  }
});

test('checkShipment: reports what cannot be sent at its field', (t) => {
  const noCash = readConfig({ ...lionwheelAccount('http://h'), settings: { base_url: 'http://h' } });
  const request = booking({
    recipient: recipient({ city: ' ' }),
    pickupPointId: 'a/b',
    serviceType: 2,
    cod: { amount: '5.00', currency: 'USD' },
  });

  if (noCash === null) return t.fail();
  t.deepEqual(Object.keys(checkShipment(request, noCash, { ...SHOP, city: '' })), [
    'ship_data.city',
    'ship_data.type',
    'ship_data.pickup',
    'ship_data.cod_amount',
    'order.currency',
  ]);
  t.deepEqual(checkShipment(booking(), noCash, SHOP), {});
});

test('readConfig: validates settings strictly and requires the key', (t) => {
  const wrong: Record<string, unknown>[] = [
    { base_url: 'ftp://x' },
    { company_id: '41' },
    { cod_type: 4 },
    { statuses: { ACTIVE: 'arrived' } },
    { unheard_of: 1 },
    { timeout_ms: 1 },
  ];

  for (const settings of wrong)
    t.is(readConfig(lionwheelAccount('http://h', settings)), null, JSON.stringify(settings));
  t.is(readConfig({ ...lionwheelAccount('http://h'), secrets: {} }), null);
  t.is(config({ statuses: { ACTIVE: 'in_transit' } }).statuses.get('ACTIVE'), 'in_transit');
});

test('regionBody: sends all three parts of the address', (t) => {
  t.deepEqual(regionBody({ city: 'חיפה\n', street: 'הרצל', number: null }), {
    city: 'חיפה',
    street: 'הרצל',
    number: '',
  });
});
