import { createServer } from 'node:http';
import test from 'ava';
import { woltDrive } from '../../../src/carriers/wolt-drive/index.js';
import { readBooking, readCancellation, readPromise } from '../../../src/carriers/wolt-drive/replies.js';
import { jsonOf } from '../../../src/lib/json.js';
import { startSandbox } from '../../../tools/doubles/carriers/server.js';
import { listen } from '../../support/local-server.js';
import { BOOKING_FAULTS, booking, context, parcel, woltAccount } from '../support.js';

async function open() {
  const sandbox = await startSandbox('wolt_drive');
  const control = async (path: string, body: unknown) => {
    const reply = await fetch(sandbox.url + path, { method: 'POST', body: JSON.stringify(body) });
    return { status: reply.status, body: (await reply.json()) as unknown };
  };
  const ledger = async () =>
    (await (await fetch(`${sandbox.url}/__ledger`)).json()) as { request: Record<string, unknown> }[];
  return { ...sandbox, control, ledger, calls: context(woltAccount(sandbox.url)) };
}

const REPLY = { id: 'd-1', wolt_order_reference_id: 'w-1', status: 'INFO_RECEIVED', tracking: { id: 't-1' } };
const reply = (json: unknown, status = 201) => ({ status, json });

test('book: a failed promise is never "unknown", because nothing can be booked yet', async (t) => {
  const { control, ledger, calls, close } = await open();
  t.teardown(close);
  const expected = [
    [{ kind: 'status', value: 500 }, 'unavailable'],
    [{ kind: 'status', value: 408 }, 'unavailable'],
    [{ kind: 'drop_before' }, 'unavailable'],
    [{ kind: 'drop_after' }, 'unavailable'],
    [{ kind: 'truncate' }, 'unavailable'],
    [{ kind: 'truncate', value: 1 }, 'unavailable'],
    [{ kind: 'status', value: 401 }, 'unauthorized'],
    [{ kind: 'status', value: 429 }, 'throttled'],
    [{ kind: 'error_in_200', value: 2 }, 'rejected'],
  ] as const;

  for (const [fault, kind] of expected) {
    await control('/__faults', { operation: 'quote', ...fault });
    t.is((await woltDrive.book(booking(), calls)).kind, kind, JSON.stringify(fault));
  }
  t.deepEqual(await ledger(), []);
});

test('book: an expired promise is requested again, once', async (t) => {
  const { control, ledger, calls, close } = await open();
  t.teardown(close);
  await control('/__faults', { operation: 'book', kind: 'error_in_200', value: 1, times: 1 });
  const again = await woltDrive.book(booking(), calls);
  await control('/__faults', { operation: 'book', kind: 'error_in_200', value: 1, times: 2 });
  const refused = await woltDrive.book(booking(), calls);

  t.is(again.kind, 'accepted');
  t.like(refused, { kind: 'rejected', code: 'SHIPMENT_PROMISE_NOT_FOUND' });
  t.is((await ledger()).length, 1);
});

test('book: a second promise may end as a duplicate, because the first delivery was booked', async (t) => {
  const { control, ledger, calls, close } = await open();
  t.teardown(close);
  const request = booking();
  await woltDrive.book(request, calls);
  await control('/__faults', { operation: 'book', kind: 'error_in_200', value: 1 });

  const outcome = await woltDrive.book(request, calls);

  t.is(outcome.kind, 'duplicate');
  t.is((await ledger()).length, 1);
});

const FAULTS = [
  { operation: 'quote', kind: 'drop_before' },
  { operation: 'quote', kind: 'truncate', value: 1 },
  { operation: 'quote', kind: 'status', value: 503 },
  ...BOOKING_FAULTS,
  { operation: 'book', kind: 'error_in_200', value: 1 },
];

test('book: under any fault, a repeat books a missing parcel and finds an existing one', async (t) => {
  const { control, ledger, calls, close } = await open();
  t.teardown(close);
  const ends = new Map<string, string>();

  for (let round = 0; round < 80; round += 1) {
    for (let hit = 0; hit < round % 4; hit += 1) {
      await control('/__faults', FAULTS[Math.floor(Math.random() * FAULTS.length)]);
    }
    const request = booking();
    let outcome = await woltDrive.book(request, calls);
    let mayBeBooked = outcome.kind === 'unknown';
    while (outcome.kind !== 'accepted' && outcome.kind !== 'duplicate') {
      // A refusal after an open call proves nothing: a truncated "duplicate" looks like any HTTP 400.
      const isGone = outcome.kind === 'rejected' && outcome.code === 'SHIPMENT_PROMISE_NOT_FOUND';
      const isOver = outcome.kind === 'rejected' && !isGone && !mayBeBooked;
      if (isOver || outcome.kind === 'unauthorized') return t.fail(outcome.text);
      outcome = await woltDrive.book(request, calls);
      mayBeBooked ||= outcome.kind === 'unknown';
    }
    if (outcome.kind === 'duplicate') t.true(mayBeBooked);
    ends.set(request.reference, outcome.kind === 'accepted' ? outcome.value.trackingCode : 'duplicate');
  }

  const booked = (await ledger()) as unknown as { reference: string; code: string }[];
  t.is(booked.length, 80);
  for (const { reference, code } of booked) t.true([code, 'duplicate'].includes(ends.get(reference) ?? ''));
});

test("the ledger holds all fields, including the promise's address", async (t) => {
  const { ledger, calls, close } = await open();
  t.teardown(close);
  const request = booking();

  await woltDrive.book(request, calls);

  t.like((await ledger())[0]?.request, {
    merchant_order_reference_id: request.reference,
    promise: { street: 'הרצל 12', city: 'תל אביב-יפו' },
  });
});

test('book: a promise that does not bind the carrier books nothing', async (t) => {
  let requests = 0;
  const server = createServer((_, response) => {
    requests += 1;
    const dropoff = { location: { coordinates: { lat: 1, lon: 2 } } };
    response.end(
      JSON.stringify({ id: 'p', price: { amount: 1, currency: 'ILS' }, dropoff, is_binding: false }),
    );
  });
  const { url, close } = await listen(server);
  t.teardown(close);

  const outcome = await woltDrive.book(booking(), context(woltAccount(url)));

  t.like(outcome, { kind: 'rejected', code: 'not_binding' });
  t.is(requests, 1);
});

test('cancel: a delivery in transit is refused with the carrier’s reason', async (t) => {
  const { control, calls, close } = await open();
  t.teardown(close);
  const request = booking();
  const booked = await woltDrive.book(request, calls);
  if (booked.kind !== 'accepted') return t.fail(booked.kind);
  await control('/__advance', { code: booked.value.trackingCode, status: 'picked_up' });

  const refused = await woltDrive.cancel?.(parcel(request.reference, booked.value.trackingCode), calls);

  t.like(refused, { kind: 'rejected', code: 'ORDER_CANNOT_BE_CANCELLED' });
});

test("parcels advance to our statuses and to the carrier's words, and to nothing else", async (t) => {
  const { control, calls, close } = await open();
  t.teardown(close);
  const booked = await woltDrive.book(booking(), calls);
  if (booked.kind !== 'accepted') return t.fail(booked.kind);
  const code = booked.value.trackingCode;

  const answers = [];
  for (const status of ['out_for_delivery', 'dropoff_arrival', 'order.new_one', 'in_transit', 'nonsense']) {
    answers.push((await control('/__advance', { code, status })).status);
  }
  const late = await control('/__advance', { code, status: 'delivered', at: 'sometime' });

  t.deepEqual([...answers, late.status], [200, 200, 200, 400, 400, 400]);
});

test('readBooking: a delivery has two codes; a success without its code is unknown', (t) => {
  t.deepEqual(readBooking(reply(REPLY)), {
    kind: 'accepted',
    value: { trackingCode: 'w-1', carrierReference: 'd-1', description: null },
  });
  for (const json of [undefined, null, {}, [], { id: 'd-1' }, { wolt_order_reference_id: 'two words' }]) {
    t.is(readBooking(reply(json)).kind, 'unknown', JSON.stringify(json));
  }
});

test('a truncated reply is never a booking, a promise or a refusal', (t) => {
  const body = Buffer.from(JSON.stringify(REPLY));

  for (let length = 0; length < body.length; length += 1) {
    const shortened = reply(jsonOf(body.subarray(0, length)));
    t.is(readBooking(shortened).kind, 'unknown');
    t.is(readPromise(shortened).kind, 'unknown');
  }
});

test('refusals have the carrier’s code and reason at any HTTP status', (t) => {
  const refused = { error_code: 'VENUE_CLOSED', reason: 'Closed now', details: null };
  const invalid = { detail: [{ loc: ['body', 'city'], msg: 'field required' }, { msg: 'too short' }] };

  t.deepEqual(readBooking(reply(refused, 400)), {
    kind: 'rejected',
    code: 'VENUE_CLOSED',
    text: 'Closed now',
    body: refused,
  });
  t.is(readBooking(reply(refused, 200)).kind, 'rejected');
  t.is(readBooking(reply({ ...REPLY, ...refused }, 200)).kind, 'unknown', 'it may be booked');
  t.like(readPromise(reply(invalid, 422)), { code: 'http_422', text: 'field required; too short' });
  t.like(readCancellation(reply(undefined, 404)), {
    kind: 'rejected',
    code: 'http_404',
    text: 'The carrier answered HTTP 404.',
  });
  t.deepEqual(readBooking(reply({ error_code: 'DUPLICATE_ORDER', reason: 'Known' }, 409)), {
    kind: 'duplicate',
    text: 'Known',
  });
});
