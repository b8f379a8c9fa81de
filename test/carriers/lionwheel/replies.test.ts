import test from 'ava';
import { jsonReply } from '../../../src/carriers/json-api.js';
import {
  LIONWHEEL_STATUSES,
  readBooking,
  readPoints,
  readPosted,
  readRegion,
  readTask,
  readTasks,
  readUpdate,
} from '../../../src/carriers/lionwheel/replies.js';
import { isStatusCode } from '../../../src/domain/statuses.js';

const NOW = '2026-11-22T12:00:00.000000Z';
const REFERENCE = '5f0c7a4e-6d0b-4f0e-9d2f-7a1c2b3d4e5f';
const NONE = new Map();

function reply(body: unknown, status = 200) {
  return jsonReply(status, Buffer.from(typeof body === 'string' ? body : JSON.stringify(body)));
}

function task(status: unknown, more: object = {}) {
  return { id: 112647, public_id: 'G35DYJ7DNQ', order_id: REFERENCE, status, ...more };
}

test("readBooking: returns the public code and the task's number", (t) => {
  t.deepEqual(readBooking(reply({ task_id: 112647, public_id: 'G35DYJ7DNQ', label: 'x' })), {
    kind: 'accepted',
    value: { trackingCode: 'G35DYJ7DNQ', carrierReference: '112647', description: null },
  });
  t.like(readBooking(reply({ task_id: 112647 })), { value: { trackingCode: '112647' } });
});

test('readBooking: the text of a 403 decides between duplicate, refusal and bad key', (t) => {
  const said = (body: unknown) => readBooking(reply(body, 403));

  t.is(said({ error: 'Error - Original Order ID already exists' }).kind, 'duplicate');
  t.is(said('Error - Original Order ID already exists').kind, 'duplicate');
  t.like(said({ message: 'Error - Self Pickup Point not found' }), { kind: 'rejected', code: 'http_403' });
  t.is(said({ error: 'Authorization error' }).kind, 'unauthorized');
  t.is(said('<html>forbidden</html>').kind, 'unauthorized');
});

test('readBooking: errors by field become one line, also in a success', (t) => {
  const errors = { destination_city: ["can't be blank"], notes: ['is too long', 'is odd'] };

  t.deepEqual(readBooking(reply({ errors }, 422)), {
    kind: 'rejected',
    code: 'http_422',
    text: "destination_city: can't be blank; notes: is too long; is odd",
  });
  t.like(readBooking(reply({ errors })), { kind: 'rejected', code: 'errors' });
  t.is(readBooking(reply({ errors, task_id: 112647 })).kind, 'unknown', 'it may be booked');
  t.like(readBooking(reply({ errors: 'Invalid money_collect' }, 422)), { text: 'Invalid money_collect' });
});

test('readBooking: a busy carrier has not refused', (t) => {
  t.is(readBooking(reply({ error: 'Conflict' }, 409)).kind, 'unknown');
});

test('readBooking: a reply with neither task nor error, or a truncated one, is unknown', (t) => {
  const whole = JSON.stringify({ task_id: 112647, public_id: 'G35DYJ7DNQ' });

  for (const body of ['', 'OK', '[]', 'null', '{}', '{"task_id":0}', '{"task_id":"12ab"}', '<html></html>'])
    t.is(readBooking(reply(body)).kind, 'unknown', body);
  for (let length = 0; length < whole.length; length += 1)
    t.is(readBooking(reply(whole.slice(0, length))).kind, 'unknown');
});

test('readTask: reads a status by number or name and never guesses', (t) => {
  for (const [number, name, code] of LIONWHEEL_STATUSES) {
    t.true(isStatusCode(code));
    for (const status of [Number(number), number, name, name.toLowerCase()]) {
      const outcome = readTask(reply({ task: task(status) }), NONE, NOW);
      t.like(outcome, { value: { event: { code, carrierCode: name, isCurrent: true, occurredAt: NOW } } });
    }
  }
  t.like(readTask(reply({ task: task('TELEPORTED') }), NONE, NOW), {
    value: { event: { code: undefined, carrierCode: 'TELEPORTED', carrierDescription: 'Teleported' } },
  });
  t.like(readTask(reply({ task: task(8, { failure_reason: 'No answer\n' }) }), NONE, NOW), {
    value: { event: { carrierDescription: 'No answer' } },
  });
});

test("readTask: the license's meaning of a status wins, by number or name", (t) => {
  const meanings = new Map([
    ['ACTIVE', 'in_transit'],
    ['5', 'returning'],
  ] as const);

  t.like(readTask(reply({ task: task(2) }), meanings, NOW), { value: { event: { code: 'in_transit' } } });
  t.like(readTask(reply({ task: task('ROUNDTRIP_DELIVERED') }), meanings, NOW), {
    value: { event: { code: 'returning' } },
  });
  t.like(readTask(reply({ task: task(3) }), meanings, NOW), { value: { event: { code: 'delivered' } } });
});

test('readTask: a task is missing only if the carrier says so', (t) => {
  const none = { kind: 'accepted', value: null };

  t.deepEqual(readTask(reply({ error: 'Not found' }, 404), NONE, NOW), none);
  t.is(readTask(reply({}), NONE, NOW).kind, 'unknown');
  t.is(readTask(reply({ task: {} }), NONE, NOW).kind, 'unknown');
  t.is(readTask(reply({ errors: 'down' }), NONE, NOW).kind, 'rejected');
  t.deepEqual(readTasks(reply({ tasks: [] }), REFERENCE, NONE, NOW), none);
  t.is(readTasks(reply({}), REFERENCE, NONE, NOW).kind, 'unknown');
  t.is(readTasks(reply({ error: 'Not found' }, 404), REFERENCE, NONE, NOW).kind, 'rejected');
});

test('readTasks: only tasks with exactly our reference count', (t) => {
  const other = task(1, { id: 7, order_id: `${REFERENCE}-2` });
  const find = (tasks: unknown[]) => readTasks(reply({ tasks }), REFERENCE, NONE, NOW);

  t.like(find([other, task(1)]), { value: { parcel: { carrierReference: '112647' } } });
  t.deepEqual(find([other]), { kind: 'accepted', value: null });
  t.like(find([task(1, { order_id: undefined })]), { value: { parcel: { trackingCode: 'G35DYJ7DNQ' } } });
  t.is(find([{ order_id: REFERENCE }]).kind, 'unknown');
});

test('readUpdate: saved, refused or unknown', (t) => {
  t.deepEqual(readUpdate(reply({ message: 'Saved successfully' })), {
    kind: 'accepted',
    value: { text: 'Saved successfully' },
  });
  t.is(readUpdate(reply({ error: 'Duplicated request' }, 409)).kind, 'unknown');
  t.is(readUpdate(reply({ errors: { status: ['is invalid'] } })).kind, 'rejected');
  t.is(readUpdate(reply('<html>')).kind, 'unknown');
});

test('readRegion: served unless forbidden or missing; an unknown address is refused', (t) => {
  const enabled = (body: unknown, status = 200) => {
    const outcome = readRegion(reply(body, status));
    return outcome.kind === 'accepted' ? outcome.value.enabled : outcome.kind;
  };

  t.true(enabled({ region_str: 'Center', is_forbidden: false, error: null }));
  t.false(enabled({ region_str: 'Center', is_forbidden: true }));
  t.false(enabled({ region_str: null, error: 'No region' }));
  t.deepEqual(readRegion(reply({ error: "Couldn't find the address" }, 422)), {
    kind: 'rejected',
    code: 'http_422',
    text: "Couldn't find the address",
  });
  t.is(enabled({ error: 'City is missing' }, 422), 'rejected');
  t.is(enabled({}), 'unknown');
  t.is(enabled({ region_str: '' }), 'unknown');
});

test('readPoints: reads a list, bare or named', (t) => {
  const point = { uuid: 'u-1', name: 'Kiosk', latitude: 32.1, longitude: null, notes: 'x' };

  for (const body of [[point, { name: 'no uuid' }], { self_pickup_points: [point] }]) {
    const outcome = readPoints(reply(body));
    if (outcome.kind !== 'accepted') return t.fail(outcome.kind);
    t.deepEqual(
      outcome.value.map(({ id, latitude, longitude, remarks }) => [id, latitude, longitude, remarks]),
      [['u-1', '32.1', '', 'x']],
    );
  }
  t.is(readPoints(reply({})).kind, 'unknown');
});

test('readPosted: equal content is one event, other content another', (t) => {
  const read = (body: unknown) => readPosted(Buffer.from(JSON.stringify(body)), NONE, NOW);
  const first = read({ task: task('FAILED', { visits: [{ id: 1 }] }), trigger_field: 'status' });
  const again = read({ task: task('FAILED', { visits: [{ id: 1 }] }), trigger_field: 'status' });
  const later = read({ task: task('FAILED', { visits: [{ id: 2 }] }), trigger_field: 'status' });

  if (first.kind !== 'events' || later.kind !== 'events') return t.fail();
  t.deepEqual(again, first);
  t.not(later.events[0]?.id, first.events[0]?.id);
  t.like(first.events[0], { trackingCode: 'G35DYJ7DNQ', reference: REFERENCE });
  t.like(read(task('COMPLETED', { order_id: 'A-1' })), { events: [{ reference: null }] });
  t.is(read({ task: { status: 'FAILED' } }).kind, 'unreadable');
  t.is(read({ task: { id: 5 } }).kind, 'unreadable');
});
