import { createHmac } from 'node:crypto';
import { createServer } from 'node:http';
import test from 'ava';
import { woltDrive } from '../../../src/carriers/wolt-drive/index.js';
import { woltWebhook } from '../../../src/carriers/wolt-drive/webhook.js';
import { startSandbox } from '../../../tools/doubles/carriers/server.js';
import { listen } from '../../support/local-server.js';
import { booking, context, woltAccount } from '../support.js';

const SECRET = 'webhook-secret-1';
const NOW = Date.parse('2026-11-22T10:00:00Z');
const DETAILS = { wolt_order_reference_id: 'w-1', merchant_order_reference_id: 'ref-1' };
const EVENT = { type: 'order.picked_up', dispatched_at: '2026-11-22T09:59:58.123456Z', details: DETAILS };

const encode = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url');

function tokenOf(
  payload: unknown,
  header: unknown = { alg: 'HS256', typ: 'JWT' },
  secret = SECRET,
  hash = 'sha256',
) {
  const signed = `${encode(header)}.${encode(payload)}`;
  return `${signed}.${createHmac(hash, secret).update(signed).digest('base64url')}`;
}

function read(token: unknown, secrets: Record<string, string> = { webhook_secret: SECRET }) {
  const body = Buffer.from(JSON.stringify({ token }));
  return woltWebhook.read({ headers: {}, body, nowMs: NOW }, woltAccount('http://h', {}, secrets));
}

function eventOf(payload: unknown) {
  const reading = read(tokenOf(payload));
  return reading.kind === 'events' ? reading.events[0] : reading;
}

test('read: an event has the parcel, its status and time, to the microsecond', (t) => {
  const reading = read(tokenOf(EVENT));

  if (reading.kind !== 'events') return t.fail(reading.kind);
  const [event] = reading.events;
  t.like(event, {
    trackingCode: 'w-1',
    reference: 'ref-1',
    event: {
      code: 'collected',
      carrierCode: 'order.picked_up',
      carrierDescription: '',
      occurredAt: '2026-11-22T09:59:58.123456Z',
      location: null,
    },
  });
  t.regex(event?.id ?? '', /^[0-9a-f]{64}$/);
});

test('read: a token with an overlong head is not parsed', (t) => {
  const head = (length: number) => ({ alg: 'HS256', typ: 'JWT', kid: 'x'.repeat(length) });

  const readings = [head(1000), head(2000)].map((header) => read(tokenOf(EVENT, header)).kind);

  t.deepEqual(readings, ['events', 'forged']);
});

test('read: equal events have equal ids; another order, type or time changes them', (t) => {
  const payloads = [
    EVENT,
    { ...EVENT, extra: 1 },
    { ...EVENT, type: 'order.delivered' },
    { ...EVENT, dispatched_at: '2026-11-22T09:59:58.123457Z' },
    { ...EVENT, details: { ...DETAILS, wolt_order_reference_id: 'w-2' } },
  ];

  const ids = payloads.map((payload) => {
    const event = eventOf(payload);
    return event !== undefined && 'id' in event ? event.id : undefined;
  });

  t.is(ids[0], ids[1]);
  t.is(new Set(ids).size, 4);
});

test('read: converts times of any zone to UTC', (t) => {
  const times = [
    ['2026-11-22T11:59:58.5+02:00', '2026-11-22T09:59:58.500000Z'],
    ['2026-11-22T09:59:58Z', '2026-11-22T09:59:58.000000Z'],
    ['2026-11-22T09:59:58.123456789Z', '2026-11-22T09:59:58.123456Z'],
  ];

  for (const [dispatchedAt, occurredAt] of times) {
    t.like(eventOf({ ...EVENT, dispatched_at: dispatchedAt }), { event: { occurredAt } });
  }
});

test('read: maps every type; a new one keeps the status and shows its name', (t) => {
  const types = [
    ['order.received', 'created'],
    ['order.pickup_started', 'created'],
    ['order.pickup_arrival', 'created'],
    ['order.dropoff_started', 'out_for_delivery'],
    ['order.dropoff_arrival', 'out_for_delivery'],
    ['order.dropoff_completed', 'delivered'],
    ['order.delivered', 'delivered'],
    ['order.customer_no_show', 'delivery_failed'],
    ['order.rejected', 'cancelled'],
  ];

  for (const [type, code] of types) t.like(eventOf({ ...EVENT, type }), { event: { code } });
  const details = { ...DETAILS, purchase_rejected_reason: 'no couriers' };
  t.like(eventOf({ ...EVENT, type: 'order.rejected', details }), {
    event: { carrierDescription: 'no couriers' },
  });
  t.like(eventOf({ ...EVENT, type: 'order.teleported' }), {
    event: { code: undefined, carrierDescription: 'order.teleported' },
  });
});

test('read: locations, estimates and PINs are not stored', (t) => {
  for (const type of [
    'order.location_updated',
    'order.pickup_eta_updated',
    'order.dropoff_eta_updated',
    'order.handshake_delivery',
  ]) {
    t.deepEqual(read(tokenOf({ ...EVENT, type })), { kind: 'events', events: [] });
  }
});

test('read: anything not signed with the secret is forged', (t) => {
  const good = tokenOf(EVENT);
  const [head = '', , signature = ''] = good.split('.');
  const unsigned = `${encode({ alg: 'none' })}.${encode(EVENT)}`;
  const forgeries = {
    'another secret': tokenOf(EVENT, undefined, 'webhook-secret-2'),
    'alg none': `${unsigned}.`,
    'alg none with a signature': tokenOf(EVENT, { alg: 'none' }),
    'another algorithm, rightly signed': tokenOf(EVENT, { alg: 'HS512' }, SECRET, 'sha512'),
    'another algorithm by name only': tokenOf(EVENT, { alg: 'RS256' }),
    'no algorithm': tokenOf(EVENT, {}),
    'a critical extension': tokenOf(EVENT, { alg: 'HS256', crit: ['b64'] }),
    'other claims': `${head}.${encode({ ...EVENT, type: 'order.delivered' })}.${signature}`,
    'a cut signature': good.slice(0, -1),
    'two parts': good.slice(0, good.lastIndexOf('.')),
    'four parts': `${good}.x`,
    'no token at all': 'abc',
  };

  t.is(read(good).kind, 'events');
  for (const [name, token] of Object.entries(forgeries)) t.is(read(token).kind, 'forged', name);
  t.is(read(good, { webhook_secret: '' }).kind, 'forged');
});

test('read: tokens are valid only at their time, within a minute', (t) => {
  const nowS = NOW / 1000;
  const times = [
    [{ exp: nowS + 1 }, 'events'],
    [{ exp: nowS - 59 }, 'events'],
    [{ exp: nowS - 61 }, 'forged'],
    [{ nbf: nowS + 59, iat: nowS + 59 }, 'events'],
    [{ nbf: nowS + 61 }, 'forged'],
    [{ iat: nowS + 61 }, 'forged'],
    [{ exp: 'never' }, 'forged'],
    [{ exp: null }, 'forged'],
  ] as const;

  for (const [claims, kind] of times) {
    t.is(read(tokenOf({ ...EVENT, ...claims })).kind, kind, JSON.stringify(claims));
  }
});

test('read: a signed token that is no message is unreadable', (t) => {
  for (const payload of [
    null,
    [],
    {},
    { ...EVENT, type: undefined },
    { ...EVENT, type: 'two words' },
    { ...EVENT, details: {} },
    { ...EVENT, dispatched_at: 'now' },
    { ...EVENT, dispatched_at: '2026-11-22' },
    { ...EVENT, dispatched_at: '2026-99-22T09:59:58Z' },
  ]) {
    t.is(read(tokenOf(payload)).kind, 'unreadable', JSON.stringify(payload));
  }
});

test('the sandbox can post events twice, forged and out of order', async (t) => {
  const sandbox = await startSandbox('wolt_drive');
  t.teardown(sandbox.close);
  const bodies: Buffer[] = [];
  const receiver = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      bodies.push(Buffer.concat(chunks));
      response.writeHead(202).end();
    });
  });
  const { url, close } = await listen(receiver);
  t.teardown(close);
  const control = async (path: string, body: unknown) => {
    const reply = await fetch(sandbox.url + path, { method: 'POST', body: JSON.stringify(body) });
    return (await reply.json()) as Record<string, unknown>;
  };
  const account = woltAccount(sandbox.url, {}, { webhook_secret: SECRET });
  await control('/__config', { webhook_url: `${url}/`, webhook_secret: SECRET });
  const booked = await woltDrive.book(booking(), context(account));
  if (booked.kind !== 'accepted') return t.fail(booked.kind);
  const code = booked.value.trackingCode;

  const answer = await control('/__advance', {
    code,
    status: 'delivered',
    times: 2,
    at: '2026-11-22T09:00:00Z',
  });
  await control('/__advance', { code, status: 'collected', at: '2026-11-22T08:00:00Z' });
  await control('/__advance', { code, status: 'cancelled', forge: true });
  await control('/__advance', { code, status: 'order.location_updated', times: 0 });

  t.is(answer.webhook_status, 202);
  const readings = bodies.map((body) => woltWebhook.read({ headers: {}, body, nowMs: NOW }, account));
  t.deepEqual(
    readings.map((one) =>
      one.kind === 'events' ? one.events.map(({ event }) => event.occurredAt) : one.kind,
    ),
    [
      ['2026-11-22T09:00:00.000000Z'],
      ['2026-11-22T09:00:00.000000Z'],
      ['2026-11-22T08:00:00.000000Z'],
      'forged',
    ],
  );
  t.deepEqual(readings[0], readings[1]);
});
