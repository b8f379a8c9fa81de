import test from 'ava';
import { readConfig } from '../../../src/carriers/run/config.js';
import { bookingArguments, checkShipment } from '../../../src/carriers/run/mapping.js';
import { textsOf } from '../../../src/domain/problems/problem.js';
import type { ShipmentDetails } from '../../../src/domain/shipment.js';
import { HOSTILE } from '../hostile.js';
import { booking, recipient, runAccount } from '../support.js';

function config(settings: Record<string, unknown> = {}) {
  const read = readConfig(runAccount('http://127.0.0.1:1', settings));
  if (read === null) throw new Error('The settings are not valid.');
  return read;
}

function argumentsOf(overrides: Partial<ShipmentDetails>, settings: Record<string, unknown> = {}) {
  const request = { ...booking(overrides), reference: 'ref-1' };
  const collectFrom = { street: '', number: '', city: '', company: 'The Example Shop, Ltd' };
  return bookingArguments(request, config(settings), collectFrom);
}

test('bookingArguments: a delivery fills the 42 positions', (t) => {
  const args = argumentsOf({ note: 'ליד הדלת', extraNote: 'שביר' });

  t.deepEqual(args.slice(0, 9), [
    '-N7001',
    '-Aמסירה',
    '-N35',
    '-N5',
    '-AThe Exampl',
    '-A',
    '-N10',
    '-N',
    '-N',
  ]);
  t.deepEqual(args.slice(9, 16), ['-A', '-Aדנה לוי', '-A', '-Aתל אביב-יפו', '-A', '-Aהרצל', '-A12']);
  t.deepEqual(args.slice(16, 23), ['-Aא', '-A3', '-A9', '-A0501234567', '-A', '-Aref-1', '-N1']);
  t.deepEqual(args.slice(23, 29), ['-Aליד הדלת', '-A#1001 שביר', '-A', '-A22/11/2026', '-A', '-A']);
  t.deepEqual(args.slice(29, 35), ['-N', '-N', '-A', '-A', '-N', '-N']);
  t.deepEqual(args.slice(35), ['-AXML', '-AN', '-A', '-A', '-Adana@example.com', '-A', '-A']);
});

test('bookingArguments: collections, round trips, points and cash use their own codes', (t) => {
  const collection = argumentsOf({ serviceType: 2, pickupPointId: '1001' });
  const roundTrip = argumentsOf({ returnType: 2 });
  const point = argumentsOf({ pickupPointId: '1001' });
  const cash = argumentsOf({ cod: { amount: '120.50', currency: 'ILS' } });

  t.deepEqual([collection[1], collection[33], collection[34]], ['-Aאיסוף', '-N1001', '-N']);
  t.deepEqual([roundTrip[7], roundTrip[8]], ['-N11', '-N1']);
  t.deepEqual([point[2], point[33], point[34]], ['-N50', '-N', '-N1001']);
  t.deepEqual([cash[2], ...cash.slice(29, 33)], ['-N37', '-N1', '-N120.50', '-A22/11/2026', '-A']);
});

test('bookingArguments: overflowing address texts go into the address notes', (t) => {
  const args = argumentsOf({
    recipient: recipient({ number: '123-125', floor: 'ground' }),
    note: 'ring twice',
  });

  t.is(args[15], '-A');
  t.is(args[17], '-A');
  t.is(args[23], '-Aמס 123-125 קומה ground ring twice');
});

test('bookingArguments: no hostile text adds an argument or exceeds a field', (t) => {
  const lengths = new Map([
    [4, 10],
    [10, 20],
    [12, 30],
    [14, 30],
    [15, 5],
    [16, 1],
    [17, 2],
    [18, 4],
    [23, 70],
    [24, 80],
  ]);
  for (const text of HOSTILE) {
    const to = recipient({
      name: text,
      number: text,
      entrance: text,
      floor: text,
      apartment: text,
      company: text,
    });
    const args = argumentsOf({ recipient: to, note: text, extraNote: text });

    t.is(args.length, 42);
    t.true(args.every((argument) => /^-[AN][^,&|\p{Cc}\p{Cs}]*$/u.test(argument)));
    for (const [index, max] of lengths) {
      if (index === 12 || index === 14) continue;
      t.true(Array.from(args[index]?.slice(2) ?? '').length <= max, `${index}: ${args[index]}`);
    }
  }
});

test('checkShipment: reports what cannot be sent at its field', (t) => {
  const to = recipient({
    name: ' ,& ',
    phone: 'none',
    city: 'c'.repeat(31),
    street: null,
    email: `${'e'.repeat(100)}@x.il`,
  });
  const request = booking({ recipient: to, packages: 100, pickupPointId: null });

  const errors = checkShipment(request, config());

  t.deepEqual(Object.keys(errors).toSorted(), [
    'ship_data.city',
    'ship_data.contact_mail',
    'ship_data.contact_name',
    'ship_data.contact_phone',
    'ship_data.packages',
    'ship_data.street',
  ]);
  t.deepEqual(textsOf(errors)['ship_data.contact_phone'], [
    'The ship_data.contact_phone field must hold a number that can be dialled.',
  ]);
});

test('checkShipment: reports services that the contract lacks', (t) => {
  const bare = { pickup_shipment_type: undefined, cod_type: undefined, cargo_type_back: undefined };
  const settings = Object.fromEntries(
    Object.entries(runAccount('http://127.0.0.1:1').settings).filter(([name]) => !(name in bare)),
  );
  const limited = readConfig({ ...runAccount(''), settings });
  const request = booking({ pickupPointId: '5', returnType: 2, cod: { amount: '5.00', currency: 'ILS' } });
  const foreign = booking({ pickupPointId: 'abc', cod: { amount: '5.00', currency: 'USD' } });

  if (limited === null) return t.fail();
  t.deepEqual(Object.keys(checkShipment(request, limited)), [
    'ship_data.pickup',
    'ship_data.cod_amount',
    'ship_data.return',
  ]);
  t.deepEqual(Object.keys(checkShipment(foreign, config())), ['ship_data.pickup', 'order.currency']);
});

test('checkShipment: accepts texts of exactly the limit', (t) => {
  const to = recipient({ city: 'c'.repeat(30), street: 's'.repeat(30) });

  t.deepEqual(checkShipment(booking({ recipient: to }), config()), {});
});

test('readConfig: validates settings strictly', (t) => {
  const wrong: Record<string, unknown>[] = [
    { base_url: 'ftp://x' },
    { base_url: 'http://user:pass@host' },
    { base_url: 'http://host/?x=' },
    { customer_number: '1,-A' },
    { customer_number: 7001 },
    { shipment_type: '' },
    { statuses: { '99': 'arrived' } },
    { unheard_of: 1 },
    { timeout_ms: 1 },
  ];

  for (const settings of wrong)
    t.is(readConfig(runAccount('http://h', settings)), null, JSON.stringify(settings));
  t.is(config({ statuses: { '99': 'delivered' } }).statuses?.get('99'), 'delivered');
  t.is(config().statuses, undefined);
});
