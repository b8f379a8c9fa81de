import { createServer, type IncomingHttpHeaders } from 'node:http';
import test from 'ava';
import type { CarrierAdapter, InboundReader } from '../../src/carriers/contract.js';
import { listen } from '../support/local-server.js';
import type { Harness, Open } from './harness.js';
import { booking, context, parcel } from './support.js';

/** An address that every sandbox's express service serves, and one that none does. */
const NEAR = { city: 'תל אביב-יפו', street: 'הרצל', number: '12' };
const FAR = { city: 'אילת', street: 'התמרים', number: '3' };

/** Faults without information. */
const TROUBLE = [
  { kind: 'error_in_200', value: 1 },
  { kind: 'truncate', value: 1 },
  { kind: 'status', value: 500 },
];

/** Tests the adapter's express calls. */
export function express(adapter: CarrierAdapter, open: Open): void {
  if (adapter.expressEnabled !== undefined) region(adapter, open);
  if (adapter.expressStatus !== undefined) expressStatus(adapter, open);
}

function region(adapter: CarrierAdapter, open: Open): void {
  test('expressEnabled: knows which addresses the express service serves', async (t) => {
    const { account, close } = await open();
    t.teardown(close);

    const near = await adapter.expressEnabled?.(NEAR, context(account));
    const far = await adapter.expressEnabled?.(FAR, context(account));

    t.deepEqual(near, { kind: 'accepted', value: { enabled: true } });
    t.deepEqual(far, { kind: 'accepted', value: { enabled: false } });
  });

  for (const fault of TROUBLE) {
    test(`expressEnabled: never takes ${JSON.stringify(fault)} for "not served"`, async (t) => {
      const { account, wire, close } = await open();
      t.teardown(close);
      await wire?.fault({ operation: 'region', ...fault });

      const outcome = await adapter.expressEnabled?.(NEAR, context(account));

      t.not(outcome?.kind, 'accepted');
    });
  }
}

function expressStatus(adapter: CarrierAdapter, open: Open): void {
  test('expressStatus: reads the newest status', async (t) => {
    const harness = await open();
    t.teardown(harness.close);
    const { booked } = await book(adapter, harness);
    const first = await adapter.expressStatus?.(booked, context(harness.account));
    await harness.wire?.advance(booked.trackingCode, 'collected');

    const second = await adapter.expressStatus?.(booked, context(harness.account));

    if (first?.kind !== 'accepted' || second?.kind !== 'accepted') return t.fail(second?.kind);
    t.regex(second.value?.carrierCode ?? '', /^\S+$/);
    t.not(second.value?.carrierCode, first.value?.carrierCode);
    t.not(second.value?.description, '');
  });

  test('expressStatus: an unknown parcel has no status; a failure is not mistaken for that', async (t) => {
    const harness = await open();
    t.teardown(harness.close);
    const { booked } = await book(adapter, harness);
    const strange = parcel('00000000-0000-4000-8000-000000000000', '1', '1');

    const unknown = await adapter.expressStatus?.(strange, context(harness.account));

    t.deepEqual(unknown, { kind: 'accepted', value: null });
    for (const fault of TROUBLE) {
      await harness.wire?.fault({ operation: 'status', ...fault });
      t.not((await adapter.expressStatus?.(booked, context(harness.account)))?.kind, 'accepted');
    }
  });
}

/** Bodies that no carrier sends. */
const GARBAGE = [
  '',
  'null',
  '5',
  '[]',
  '{}',
  '{"a":1',
  '<xml/>',
  '{"__proto__":{"id":1}}',
  '['.repeat(50_000),
  Buffer.from([0xff, 0xfe, 0, 1]),
];

/** Tests the carrier's own posts. */
export function webhooks(adapter: CarrierAdapter, reader: InboundReader, open: Open): void {
  test('webhook: reads posted events, a repeated event under the same id', async (t) => {
    const harness = await open();
    t.teardown(harness.close);
    const posted = await startListener();
    t.teardown(posted.close);
    const { booked } = await book(adapter, harness);
    await harness.wire?.configure({ webhook_url: posted.url });
    await harness.wire?.advance(booked.trackingCode, 'collected');
    await harness.wire?.advance(booked.trackingCode, 'delivered');

    const readings = posted.requests.map((request) => {
      const twice = [Date.now(), Date.now() + 1000].map((nowMs) =>
        reader.read({ ...request, nowMs }, harness.account),
      );
      const ids = twice.map((one) => (one.kind === 'events' ? one.events.map(({ id }) => id) : one.kind));
      t.deepEqual(ids[0], ids[1]);
      return twice[0];
    });

    const events = readings.flatMap((one) => (one?.kind === 'events' ? one.events : []));
    t.deepEqual(
      events.map(({ event }) => event.code),
      ['collected', 'delivered'],
    );
    t.is(new Set(events.map(({ id }) => id)).size, 2);
    for (const { id, trackingCode, reference, event } of events) {
      t.regex(id, /^.{1,128}$/);
      t.true(trackingCode === booked.trackingCode || reference === booked.reference);
      t.regex(event.occurredAt, /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z$/);
    }
  });

  test('webhook: garbage is unreadable and never throws', async (t) => {
    const { account, close } = await open();
    t.teardown(close);

    for (const body of GARBAGE) {
      const request = { headers: {}, body: Buffer.from(body), nowMs: Date.now() };
      t.is(reader.read(request, account).kind, 'unreadable', String(body).slice(0, 30));
    }
  });
}

async function book(adapter: CarrierAdapter, { account }: Harness) {
  const request = booking();
  const outcome = await adapter.book(request, context(account));
  if (outcome.kind !== 'accepted') throw new Error(`The booking was ${outcome.kind}.`);
  const { trackingCode, carrierReference } = outcome.value;
  return { booked: parcel(request.reference, trackingCode, carrierReference) };
}

/** A server that records what is posted to it. */
async function startListener() {
  const requests: { headers: Record<string, string | undefined>; body: Buffer }[] = [];
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      requests.push({ headers: plain(request.headers), body: Buffer.concat(chunks) });
      response.writeHead(204).end();
    });
  });
  const { url, close } = await listen(server);
  return { url: `${url}/`, requests, close };
}

function plain(headers: IncomingHttpHeaders): Record<string, string | undefined> {
  return Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [name, Array.isArray(value) ? value.join(', ') : value]),
  );
}
