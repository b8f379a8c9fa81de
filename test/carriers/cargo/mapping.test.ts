import test from 'ava';
import { readConfig } from '../../../src/carriers/cargo/config.js';
import { cargo } from '../../../src/carriers/cargo/index.js';
import {
  checkShipment,
  customerCodeOf,
  labelCall,
  parcelBody,
  shipmentBody,
} from '../../../src/carriers/cargo/mapping.js';
import type { ShipmentDetails } from '../../../src/domain/shipment.js';
import { HOSTILE } from '../hostile.js';
import { booking, cargoAccount, parcel, recipient } from '../support.js';

const SHOP = { street: 'אלנבי', number: '1', city: 'תל אביב-יפו', company: 'חנות לדוגמה' };
/** On the day of the bookings. */
const NOW = new Date('2026-11-22T10:00:00Z');

function config(settings: Record<string, unknown> = {}) {
  const read = readConfig(cargoAccount('http://127.0.0.1:1', settings));
  if (read === null) throw new Error('The settings are not valid.');
  return read;
}

function bodyOf(overrides: Partial<ShipmentDetails>, settings: Record<string, unknown> = {}) {
  return shipmentBody({ ...booking(overrides), reference: 'ref-1' }, config(settings), SHOP);
}

test('shipmentBody: a delivery goes from the shop to the recipient, under our reference', (t) => {
  t.deepEqual(bodyOf({ note: 'ליד הדלת', extraNote: 'שביר', packages: 3 }), {
    shipping_type: 1,
    number_of_parcels: 3,
    double_delivery: 1,
    transaction_id: 'ref-1',
    order_id: '1001',
    cod_type: 0,
    cash_on_delivery: 0,
    carrier_id: 1,
    notes: 'ליד הדלת שביר',
    platform: 'API',
    customer_code: 3175,
    to_address: {
      name: 'דנה לוי',
      company: '',
      street1: 'הרצל',
      street2: '12',
      city: 'תל אביב-יפו',
      phone: '0501234567',
      email: 'dana@example.com',
      floor: '3',
      apartment: '9',
      entrance: 'א',
    },
    from_address: {
      name: 'חנות לדוגמה',
      company: 'חנות לדוגמה',
      street1: 'אלנבי',
      street2: '1',
      city: 'תל אביב-יפו',
      phone: '035550100',
    },
  });
});

test('a parcel adopted by code uses the customer number of its kind', (t) => {
  const codes = { box_customer_code: 11, collection_customer_code: 22 };
  const account = cargoAccount('http://127.0.0.1:1', codes);
  const numberOf = (overrides: Partial<ShipmentDetails>) => {
    const carrierReference = cargo.adoptedReference?.(booking(overrides).shipment, account) ?? null;
    return parcelBody(parcel('ref-1', '5', carrierReference), config(codes)).customer_code;
  };

  t.deepEqual(
    [numberOf({ pickupPointId: '10003' }), numberOf({ serviceType: 2 }), numberOf({})],
    [11, 22, 3175],
  );
});

test('boxes, collections, round trips and cash have their own numbers', (t) => {
  const codes = { box_customer_code: 11, collection_customer_code: 22 };

  t.like(bodyOf({ pickupPointId: '10003' }, codes), {
    carrier_id: 0,
    box_point_id: 10003,
    customer_code: 11,
  });
  t.like(bodyOf({ serviceType: 2 }, codes), {
    shipping_type: 2,
    customer_code: 22,
    from_address: { name: 'דנה לוי' },
    to_address: { company: 'חנות לדוגמה' },
  });
  t.is(bodyOf({ returnType: 2 }).double_delivery, 2);
  t.like(bodyOf({ cod: { amount: '120.50', currency: 'ILS' } }, { cod_type: 2 }), {
    cod_type: 2,
    cash_on_delivery: 120.5,
  });
  t.is(customerCodeOf({ pickupPointId: '1', serviceType: 1 }, config().settings), 3175);
});

test('later calls use the number that the parcel was booked under', (t) => {
  t.deepEqual(parcelBody(parcel('r', '57833427', '11'), config()), {
    shipment_id: 57833427,
    customer_code: 11,
  });
  t.deepEqual(parcelBody(parcel('r', 'x'), config()), { shipment_id: 0, customer_code: 3175 });
});

test("labelCall: asks for the license's paper format", (t) => {
  const of = (settings: Record<string, unknown>) => labelCall(parcel('r', '5'), config(settings));

  t.deepEqual(of({}), { path: 'print-label', body: { shipment_ids: [5], format: 'base64' } });
  t.deepEqual(of({ label_format: 'pdf' }).body, { shipment_ids: [5], format: 'pdf' });
  t.deepEqual(of({ label_sheet: 'a4', label_position: 4 }), {
    path: 'print-label-a4',
    body: { shipment_ids: [5], starting_point: 4 },
  });
});

test('shipmentBody: sends no control characters or lone surrogates', (t) => {
  for (const text of HOSTILE) {
    const to = recipient({ name: text, street: text, number: text, company: text });
    const body = JSON.stringify(bodyOf({ recipient: to, note: text, extraNote: text }));

    t.notRegex(body, /[\p{Cc}\p{Cs}\u202A-\u202E]|\\u[0-9a-f]{4}|\\[nrtbf]/u);
  }
});

test('checkShipment: reports what cannot be sent at its field', (t) => {
  const { cod_type: _, ...settings } = cargoAccount('http://h').settings;
  const noCash = readConfig({ ...cargoAccount('http://h'), settings });
  const wrong = booking({
    recipient: recipient({ city: ' ', phone: 'none', street: null }),
    cod: { amount: '5.00', currency: 'USD' },
  });
  const box = booking({ pickupPointId: 'a', serviceType: 2, recipient: recipient({ street: null }) });

  if (noCash === null) return t.fail();
  t.deepEqual(Object.keys(checkShipment(wrong, noCash, NOW)), [
    'ship_data.city',
    'ship_data.contact_phone',
    'ship_data.street',
    'ship_data.cod_amount',
    'order.currency',
  ]);
  t.is(checkShipment(box, noCash, NOW)['ship_data.pickup']?.length, 2);
  t.deepEqual(checkShipment(booking({ pickupPointId: '10003' }), noCash, NOW), {});
});

test('readConfig: validates settings strictly and requires the token', (t) => {
  const wrong: Record<string, unknown>[] = [
    { base_url: 'ftp://x' },
    { customer_code: '3175' },
    { sender_phone: '' },
    { cod_type: 4 },
    { label_position: 9 },
    { label_sheet: 'A5' },
    { statuses: { 2: 'arrived' } },
    { unheard_of: 1 },
  ];

  for (const settings of wrong)
    t.is(readConfig(cargoAccount('http://h', settings)), null, JSON.stringify(settings));
  t.is(readConfig({ ...cargoAccount('http://h'), secrets: {} }), null);
  t.is(config({ statuses: { 2: 'collected' } }).statuses.get('2'), 'collected');
});

test('checkShipment: reports a later day, because the carrier has no field for it', (t) => {
  const tomorrow = booking({ collectOn: '2026-11-23' });

  const errors = checkShipment(tomorrow, config(), NOW);

  t.deepEqual(Object.keys(errors), ['ship_data.exaction_date']);
});
