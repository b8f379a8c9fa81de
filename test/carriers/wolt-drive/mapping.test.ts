import test from 'ava';
import { readConfig } from '../../../src/carriers/wolt-drive/config.js';
import { checkShipment, deliveryBody, promiseBody } from '../../../src/carriers/wolt-drive/mapping.js';
import type { ShipmentDetails } from '../../../src/domain/shipment.js';
import { booking, recipient, woltAccount } from '../support.js';

const NOW = new Date('2026-11-22T10:00:00Z');
const PROMISE = {
  id: 'p-1',
  coordinates: { lat: 32.06, lon: 34.77 },
  price: { amount: 1995, currency: 'ILS' },
  isBinding: true,
  body: {},
};

function config(settings: Record<string, unknown> = {}) {
  const read = readConfig(woltAccount('http://h', settings));
  if (read === null) throw new Error('The settings are not valid.');
  return read;
}

function delivery(overrides: Partial<ShipmentDetails>, settings: Record<string, unknown> = {}) {
  return deliveryBody({ ...booking(overrides), reference: 'ref-1' }, PROMISE, config(settings), NOW);
}

test("deliveryBody: has the promise's place and price, and our reference", (t) => {
  const settings = {
    min_preparation_time_minutes: 20,
    support_email: 'help@example.com',
    support_phone: '03-1234567',
  };

  t.deepEqual(delivery({ note: 'ליד הדלת', packages: 2 }, settings), {
    shipment_promise_id: 'p-1',
    pickup: { options: { min_preparation_time_minutes: 20 } },
    dropoff: {
      location: { coordinates: PROMISE.coordinates },
      comment: 'כניסה א קומה 3 דירה 9 ליד הדלת',
      options: { is_no_contact: false },
    },
    price: PROMISE.price,
    recipient: { name: 'דנה לוי', phone_number: '+972501234567', email: 'dana@example.com' },
    parcels: [{ count: 2, description: 'הזמנה 1001', identifier: '1001' }],
    customer_support: { email: 'help@example.com', phone_number: '+97231234567' },
    merchant_order_reference_id: 'ref-1',
    order_number: '1001',
  });
});

test('deliveryBody: phones have the international form', (t) => {
  const numbers = ['050-1234567', '+972 50 123 4567', '00972501234567', '972501234567', '+44 20 7946 0000'];

  const sent = numbers.map((phone) => delivery({ recipient: recipient({ phone }) }).recipient);

  const phones = sent.map((to) => (to as { phone_number: string }).phone_number);
  t.deepEqual(phones, [...Array.from({ length: 4 }, () => '+972501234567'), '+442079460000']);
});

test('promiseBody: has the address in one line and the preparation time', (t) => {
  const to = { city: 'חולון', street: 'סוקולוב', number: '3', zip: '5831800' };

  t.deepEqual(promiseBody(to, config({ min_preparation_time_minutes: 30 }), null, NOW), {
    street: 'סוקולוב 3',
    city: 'חולון',
    post_code: '5831800',
    min_preparation_time_minutes: 30,
  });
  t.deepEqual(promiseBody({ city: 'חולון', street: 'סוקולוב', number: null }, config(), null, NOW), {
    street: 'סוקולוב',
    city: 'חולון',
  });
});

test('promiseBody: a time slot is the next one in Israel, or on the given later day', (t) => {
  const dropoffOf = (slot: string, day: string | null) => {
    const settings = { time_type: 'time_slot', time_slot: slot, min_preparation_time_minutes: 30 };
    const to = { city: 'חולון', street: 'סוקולוב', number: null };
    const body = promiseBody(to, config(settings), day, NOW);
    t.false('min_preparation_time_minutes' in body);
    return body.scheduled_dropoff_time;
  };

  t.is(dropoffOf('18:00', null), '2026-11-22T16:00:00.000Z');
  t.is(dropoffOf('09:00', null), '2026-11-23T07:00:00.000Z');
  t.is(dropoffOf('09:00', '2026-11-20'), '2026-11-23T07:00:00.000Z');
  t.is(dropoffOf('09:00', '2026-12-24'), '2026-12-24T07:00:00.000Z');
  const slot = { time_type: 'time_slot', time_slot: '09:00' };
  t.like(delivery({ collectOn: '2026-12-24' }, slot), {
    dropoff: { options: { scheduled_time: '2026-12-24T07:00:00.000Z' } },
  });
});

test('checkShipment: reports unsupported services at their fields', (t) => {
  const wrong = booking({
    recipient: recipient({ name: ' ', phone: '', city: null, street: 's'.repeat(700) }),
    serviceType: 2,
    pickupPointId: '5',
    cod: { amount: '5.00', currency: 'ILS' },
    returnType: 2,
    collectOn: '2026-11-23',
  });

  t.deepEqual(Object.keys(checkShipment(wrong, config(), NOW)), [
    'ship_data.contact_name',
    'ship_data.contact_phone',
    'ship_data.city',
    'ship_data.street',
    'ship_data.type',
    'ship_data.pickup',
    'ship_data.cod_amount',
    'ship_data.return',
    'ship_data.exaction_date',
  ]);
  const later = booking({ collectOn: '2026-11-23' });
  t.deepEqual(checkShipment(later, config({ time_type: 'time_slot', time_slot: '09:00' }), NOW), {});
});

test('readConfig: validates settings strictly', (t) => {
  const wrong: Record<string, unknown>[] = [
    { base_url: 'ftp://x' },
    { venue_id: '../x' },
    { opening_time: '9:00' },
    { closing_time: '24:00' },
    { price_type: 'fix' },
    { price_type: 'markup', fix_price: '1' },
    { fix_price: 12.5 },
    { markup_price: '1.234' },
    { time_type: 'time_slot' },
    { unheard_of: 1 },
  ];

  for (const settings of wrong) {
    t.is(readConfig(woltAccount('http://h', settings)), null, JSON.stringify(settings));
  }
  t.is(config().secret, 'key');
});
