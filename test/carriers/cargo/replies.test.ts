import test from 'ava';
import {
  CARGO_STATUSES,
  readBooking,
  readCancellation,
  readLabel,
  readPoints,
  readPosted,
  readStatus,
} from '../../../src/carriers/cargo/replies.js';
import { jsonReply } from '../../../src/carriers/json-api.js';
import { parcel } from '../support.js';

const NOW = '2026-11-22T12:00:00.000000Z';
const REFERENCE = '5f0c7a4e-6d0b-4f0e-9d2f-7a1c2b3d4e5f';
const PARCEL = parcel(REFERENCE, '57833427', '3175');
const NONE = new Map();

function reply(body: unknown, status = 201) {
  const text = typeof body === 'string' ? body : JSON.stringify(body);
  return jsonReply(status, Buffer.from(text));
}

function booked(more: object = {}) {
  return { errors: false, data: { shipment_id: 57833427, driver_name: 'x' }, message: 'ok', ...more };
}

function status(code: unknown, more: object = {}) {
  const data = {
    shipment_id: 57833427,
    status_code: code,
    status_text: ' נמסר ',
    status_date: '2026-07-21 09:30:15',
    transaction_id: REFERENCE,
    ...more,
  };
  return reply({ errors: false, data, message: 'ok' });
}

const read = (body: ReturnType<typeof reply>, meanings = NONE) => readStatus(body, PARCEL, meanings, NOW);

test("readBooking: returns the parcel's number and its customer number", (t) => {
  t.deepEqual(readBooking(reply(booked()), 3175), {
    kind: 'accepted',
    value: { trackingCode: '57833427', carrierReference: '3175', description: null },
  });
});

test('readBooking: ignores empty errors in every encoding', (t) => {
  for (const errors of [false, null, [], {}, '', 0, '0', 'false', undefined, [{}], { city: [] }])
    t.is(readBooking(reply(booked({ errors })), 1).kind, 'accepted', JSON.stringify(errors));
});

test('readBooking: errors are refusals, also in a success; beside a parcel the outcome is unknown', (t) => {
  t.deepEqual(readBooking(reply({ errors: true, data: [], message: 'Point not found' }), 1), {
    kind: 'rejected',
    code: 'errors',
    text: 'Point not found',
  });
  t.is(readBooking(reply(booked({ errors: true })), 1).kind, 'unknown');
  for (const errors of [['No balance'], 1, [7], { code: 12 }, { a: { b: { c: { d: 'deep' } } } }]) {
    t.is(readBooking(reply(booked({ errors })), 1).kind, 'unknown', JSON.stringify(errors));
    t.is(readBooking(reply({ errors, data: [] }), 1).kind, 'rejected', JSON.stringify(errors));
  }
  const deep = `${'['.repeat(20_000)}${']'.repeat(20_000)}`;
  t.is(readBooking(reply(`{"errors":${deep},"data":[]}`), 1).kind, 'rejected');
  t.like(readBooking(reply({ errors: { 'to_address.city': ['The city field is required.'] } }, 422), 1), {
    code: 'http_422',
    text: 'to_address.city: The city field is required.',
  });
  t.like(readBooking(reply('<html>', 400), 1), { kind: 'rejected', code: 'http_400' });
});

test('readBooking: a reply with neither parcel nor error, or a truncated one, is unknown', (t) => {
  const whole = JSON.stringify(booked());

  for (const body of ['', 'OK', '[]', 'null', '{}', { data: { shipment_id: 0 } }, { data: 5 }, '<html>'])
    t.is(readBooking(reply(body), 1).kind, 'unknown', JSON.stringify(body));
  for (let length = 0; length < whole.length; length += 1)
    t.is(readBooking(reply(whole.slice(0, length)), 1).kind, 'unknown');
});

test('readStatus: maps statuses, dates them in UTC, and never guesses unknown ones', (t) => {
  for (const [number, code] of CARGO_STATUSES)
    t.like(read(status(Number(number))), { value: { code, carrierCode: number, isCurrent: true } });
  t.like(read(status('3')), {
    value: { code: 'delivered', carrierDescription: 'נמסר', occurredAt: '2026-07-21T06:30:15.000000Z' },
  });
  t.like(read(status(77, { status_date: null, status_text: '' })), {
    value: { code: undefined, carrierCode: '77', carrierDescription: '', occurredAt: NOW },
  });
  t.like(read(status(2), new Map([['2', 'collected']])), { value: { code: 'collected' } });
});

test("readStatus: another's parcel and an unknown one are null; a failure is not", (t) => {
  const none = { kind: 'accepted', value: null };

  t.deepEqual(read(status(3, { transaction_id: 'another' })), none);
  t.deepEqual(read(reply({ errors: true, message: 'Shipment not found' }, 404)), none);
  t.like(read(status(3, { transaction_id: null })), { value: { code: 'delivered' } });
  t.is(read(status(3, { shipment_id: 5 })).kind, 'unknown');
  t.is(read(status(null)).kind, 'unknown');
  t.is(read(reply({ errors: true, message: 'down' })).kind, 'rejected');
});

test('readCancellation: updated, refused or unknown', (t) => {
  const said = (data: unknown) => readCancellation(reply({ errors: false, data, message: 'm' })).kind;

  t.is(said({ updated: true, status_code: 8 }), 'accepted');
  t.is(said({ updated: false, status_code: 8 }), 'accepted');
  t.is(said({ updated: false, status_code: 3 }), 'rejected');
  t.is(said({}), 'unknown');
  t.is(readCancellation(reply({ errors: true, message: 'no' })).kind, 'rejected');
});

test('readLabel: an address or bytes', (t) => {
  const of = (data: unknown) => readLabel(reply({ errors: false, data }));

  t.deepEqual(of('https://carrier.example/a.pdf'), {
    kind: 'accepted',
    value: { address: 'https://carrier.example/a.pdf', bytes: null },
  });
  t.deepEqual(of('aGk='), { kind: 'accepted', value: { address: null, bytes: Buffer.from('hi') } });
  for (const data of ['', '<html>', null, { a: 1 }]) t.is(of(data).kind, 'unknown');
  t.is(readLabel(reply({ errors: true, message: 'no' })).kind, 'rejected');
});

test('readPoints: reads a list, bare or in data', (t) => {
  const point = {
    DistributionPointID: 10003,
    DistributionPointName: 'Kiosk',
    Latitude: 31.67,
    Comment: null,
  };

  for (const body of [[point], { errors: false, data: [point] }]) {
    const outcome = readPoints(reply(body));
    if (outcome.kind !== 'accepted') return t.fail(outcome.kind);
    t.like(outcome.value[0], { id: '10003', name: 'Kiosk', latitude: '31.67', remarks: '' });
  }
  t.is(readPoints(reply({})).kind, 'unknown');
  t.is(readPoints(reply({ errors: true, message: 'no' })).kind, 'rejected');
});

test('readPosted: reads one event from JSON or a form', (t) => {
  const json = { type: 'status-update', shipment_id: 57833427, new_status_code: 3, new_status: 'done' };
  const form = Buffer.from('shipment_id=57833427&new_status_code=3&new_status=done');
  const posted = (body: unknown) => readPosted(Buffer.from(JSON.stringify(body)), false, NONE, NOW);

  const first = posted(json);

  t.like(first, { events: [{ trackingCode: '57833427', reference: null }] });
  t.deepEqual(posted(json), first);
  t.like(readPosted(form, true, NONE, NOW), {
    events: [{ trackingCode: '57833427', event: { code: 'delivered', carrierDescription: 'done' } }],
  });
  for (const wrong of [{ ...json, type: 'other' }, { ...json, shipment_id: 0 }, { shipment_id: 5 }])
    t.is(posted(wrong).kind, 'unreadable');
  t.is(readPosted(Buffer.from([0xff, 0x25]), true, NONE, NOW).kind, 'unreadable');
});

test('readPosted: a form with very many names costs little more than parsing it', (t) => {
  const names = Array.from({ length: 50_000 }, (_, index) => `${index.toString(36)}=`).join('&');
  const form = Buffer.from(`shipment_id=1&${names}&new_status_code=4&shipment_id=57833427&new_status_code=3`);
  const [plainMs = 0, spentMs = 0] = leastMs(
    () => new URLSearchParams(form.toString('utf8')),
    () => readPosted(form, true, NONE, NOW),
  );

  t.like(readPosted(form, true, NONE, NOW), {
    events: [{ trackingCode: '57833427', event: { code: 'delivered' } }],
  });
  t.true(spentMs < plainMs * 6, `${spentMs} ms, parsing ${plainMs} ms`);
});

/** The minimum of several alternating measurements, because the machine is shared. */
function leastMs(...works: (() => void)[]): number[] {
  const least = works.map(() => Number.POSITIVE_INFINITY);
  for (let round = 0; round < 12; round += 1) {
    for (const [index, work] of works.entries()) {
      const start = performance.now();
      work();
      least[index] = Math.min(least[index] ?? 0, performance.now() - start);
    }
  }
  return least;
}
