import test from 'ava';
import { readConfig } from '../../../src/carriers/getpackage/config.js';
import {
  readBooking,
  readCancellation,
  readQuote,
  readSettlements,
  readSlot,
  readStatus,
} from '../../../src/carriers/getpackage/replies.js';
import { jsonOf } from '../../../src/lib/json.js';
import { getpackageAccount } from '../support.js';

const NOW = '2026-11-22T10:00:00.000000Z';
const reply = (json: unknown, status = 200) => ({ status, json });

function statusOf(status: string, settings: Record<string, unknown> = {}) {
  const config = readConfig(getpackageAccount('http://h', settings));
  if (config === null) throw new Error('The settings are not valid.');
  const outcome = readStatus(reply({ status }), config, NOW);
  return outcome.kind === 'accepted' ? outcome.value?.[0] : outcome;
}

test('readBooking: returns the id, and the route as second code', (t) => {
  t.deepEqual(readBooking(reply({ id: 991, routeId: 'r-1', trackingUrl: 'https://x' }, 201)), {
    kind: 'accepted',
    value: { trackingCode: '991', carrierReference: 'r-1', description: null },
  });
  t.like(readBooking(reply({ id: 'a-1', routeId: 'with blanks' })), { value: { carrierReference: null } });
});

test('readBooking: a success without an id is unknown', (t) => {
  for (const json of [undefined, null, [], 'ok', {}, { id: '' }, { id: {} }, { id: 'two words' }]) {
    t.is(readBooking(reply(json, 201)).kind, 'unknown', JSON.stringify(json));
  }
});

test('a truncated reply is never a booking or a refusal', (t) => {
  const body = Buffer.from('{"id":991,"routeId":"r-1","trackingUrl":"https://x"}');

  for (let length = 0; length < body.length; length += 1) {
    t.is(readBooking(reply(jsonOf(body.subarray(0, length)))).kind, 'unknown');
  }
});

test('readBooking: a success with an error and a delivery is unknown', (t) => {
  t.is(readBooking(reply({ id: 991, error: 'quota used up' }, 201)).kind, 'unknown');
});

test('readBooking: a refusal has the first reason in the reply', (t) => {
  const texts = [
    [{ message: 'unknown location' }, 400, 'unknown location'],
    [{ message: ['a', 'b'], error: 'Bad Request' }, 400, 'a; b'],
    [{ error: 'quota used up' }, 200, 'quota used up'],
    [undefined, 409, 'The carrier answered HTTP 409.'],
  ] as const;

  for (const [json, status, text] of texts) {
    const code = status === 200 ? 'error' : `http_${status}`;
    t.like(readBooking(reply(json, status)), { kind: 'rejected', code, text });
  }
  t.deepEqual(readQuote(reply({ message: 'no', details: [1] }, 422)), {
    kind: 'rejected',
    code: 'http_422',
    text: 'no',
    body: { message: 'no', details: [1] },
  });
});

test('readQuote: returns the body unchanged', (t) => {
  const body = { totalRate: 39.9, currency: 'ILS', extra: { deep: [null] } };

  t.deepEqual(readQuote(reply(body)), { kind: 'accepted', value: body });
  for (const json of [undefined, null, [], 5]) t.is(readQuote(reply(json)).kind, 'unknown');
});

test("readSlot: a window's instant becomes a day in Israel, and the merchant's later day wins", (t) => {
  const timeRange = '14:00-18:00';
  const evening = reply({ date: '2026-11-21T22:00:00.000Z', timeRange });
  const is = (date: string) => ({ kind: 'accepted' as const, value: { date, timeRange } });

  t.deepEqual(readSlot(evening, '2026-11-20'), is('2026-11-22'));
  t.deepEqual(readSlot(evening, '2026-11-25'), is('2026-11-25'));
  t.deepEqual(readSlot(reply({ date: '2026-11-22', timeRange }), '2026-11-22'), is('2026-11-22'));
  for (const none of [null, [], {}, { date: '2026-11-22' }, { date: 'soon', timeRange }]) {
    t.like(readSlot(reply(none), '2026-11-22'), { kind: 'rejected', code: 'no_time_window' });
  }
  t.is(readSlot(reply(undefined), '2026-11-22').kind, 'unknown');
});

test('readStatus: uses our statuses from the table, else the carrier’s word', (t) => {
  t.like(statusOf('PICKED_UP'), {
    code: 'collected',
    carrierDescription: '',
    occurredAt: NOW,
    isCurrent: true,
  });
  t.like(statusOf('CANCELED_BY_COURIER_ON_PICKUP'), { code: 'cancelled' });
  t.like(statusOf('LOST_IN_SPACE'), { code: undefined, carrierDescription: 'LOST_IN_SPACE' });
  t.is(readStatus(reply({ status: '' }), config(), NOW).kind, 'unknown');
  t.deepEqual(readStatus(reply(undefined, 404), config(), NOW), { kind: 'accepted', value: null });
  t.is(readStatus(reply({ error: 'no' }), config(), NOW).kind, 'rejected');
});

test('readStatus: the license defines IN_ROUTE', (t) => {
  t.like(statusOf('IN_ROUTE'), { code: undefined, carrierDescription: 'IN_ROUTE' });
  t.like(statusOf('IN_ROUTE', { in_route: 'to_pickup' }), { code: 'created' });
  t.like(statusOf('IN_ROUTE', { in_route: 'in_transit' }), { code: 'in_transit' });
});

test('readCancellation: a missing parcel is cancelled; a refusal is not', (t) => {
  t.is(readCancellation(reply(undefined, 404)).kind, 'accepted');
  t.is(readCancellation(reply(undefined, 204)).kind, 'accepted');
  t.like(readCancellation(reply({ message: 'too late' }, 409)), { kind: 'rejected', text: 'too late' });
  t.is(readCancellation(reply({ error: 'too late' })).kind, 'rejected');
});

test('readSettlements: lists both names of each, without duplicates', (t) => {
  const list = [
    { localName: 'חולון', internalName: 'Holon' },
    { localName: 'Eilat', internalName: 'Eilat' },
    'Lod',
    {},
  ];

  t.deepEqual(readSettlements(reply(list)), { kind: 'accepted', value: ['חולון', 'Holon', 'Eilat', 'Lod'] });
  t.is(readSettlements(reply({ data: [] })).kind, 'unknown');
  t.is(readSettlements(reply(undefined, 400)).kind, 'rejected');
});

function config() {
  const read = readConfig(getpackageAccount('http://h'));
  if (read === null) throw new Error('The settings are not valid.');
  return read;
}
