import test from 'ava';
import type { CarrierAdapter } from '../../src/carriers/contract.js';
import { express, webhooks } from './conformance-express.js';
import { cancelling, labels, points, statuses } from './conformance-later.js';
import { lostLookUps, lostReplies } from './conformance-lost.js';
import { promises, quotes } from './conformance-quotes.js';
import { refusals, transport } from './conformance-transport.js';
import type { Open } from './harness.js';
import { HOSTILE } from './hostile.js';
import { booking, context, recipient } from './support.js';

/** Tests the behavior that callers expect of every adapter. */
export function conformance(adapter: CarrierAdapter, open: Open): void {
  declared(adapter);
  bookings(adapter, open);
  if (hasServer(adapter)) {
    lostReplies(adapter, open);
    refusals(adapter, open);
    transport(adapter, open);
  }
  if (adapter.findByReference !== undefined) lostLookUps(adapter, open);
  if (adapter.cancel !== undefined) cancelling(adapter, open);
  if (adapter.status !== undefined) statuses(adapter, open);
  if (adapter.label !== undefined) labels(adapter, open);
  if (adapter.pickupPoints !== undefined) points(adapter, open);
  express(adapter, open);
  if (adapter.sameDayQuote !== undefined) quotes(adapter.sameDayQuote, open);
  if (adapter.shippingPromise !== undefined) promises(adapter, open);
  if (adapter.webhook !== undefined) webhooks(adapter, adapter.webhook, open);
}

/** Whether the carrier is remote: only then can replies be lost. */
function hasServer({ configSchema }: CarrierAdapter): boolean {
  const { properties } = configSchema as { properties: object };
  return 'base_url' in properties;
}

function declared(adapter: CarrierAdapter): void {
  test('declares a name, limits and a settings schema', (t) => {
    t.regex(adapter.provider, /^[a-z][a-z_]*$/);
    t.true(adapter.displayName.length > 0);
    t.true(adapter.limits.requestsPerSecond > 0 && adapter.limits.concurrency > 0);
    t.true('properties' in adapter.configSchema);
    const settings = Object.entries<{ description?: string }>(
      Reflect.get(adapter.configSchema, 'properties'),
    );
    // Its meaning, and who has it: two sentences, for the form and for `admin carriers show`.
    for (const [name, { description }] of settings) t.regex(description ?? '', /^\S.{20,}\.$/, name);
    // Someone must be able to name the parcel's code.
    if (adapter.duplicates === 'rejects') t.not(adapter.findByReference ?? adapter.webhook, undefined);
    if (adapter.duplicates === 'lookup') t.not(adapter.findByReference, undefined);
    if (adapter.duplicates === 'none') t.is(adapter.findByReference, undefined);
    for (const status of ['delivered', 'returned', 'cancelled', 'lost'] as const) {
      t.false(adapter.canCancel(status));
    }
    t.true(adapter.canCancel('created'));
  });
}

function bookings(adapter: CarrierAdapter, open: Open): void {
  test('book: books a parcel', async (t) => {
    const { account, wire, close } = await open();
    t.teardown(close);
    const request = booking();

    const outcome = await adapter.book(request, context(account));

    t.deepEqual(adapter.checkBooking(request, account), {});
    if (outcome.kind !== 'accepted') return t.fail(outcome.kind);
    t.regex(outcome.value.trackingCode, /^\S{1,64}$/);
    if (wire === null) return;
    const ledger = await wire.ledger();
    t.deepEqual(
      ledger.map(({ reference, code }) => ({ reference, code })),
      [{ reference: request.reference, code: outcome.value.trackingCode }],
    );
  });

  test('book: a repeated reference is treated as declared', async (t) => {
    const { account, wire, close } = await open();
    t.teardown(close);
    const request = booking();
    const first = await adapter.book(request, context(account));

    const second = await adapter.book(request, context(account));

    if (adapter.duplicates === 'replays') t.deepEqual(second, first);
    if (adapter.duplicates === 'rejects') t.is(second.kind, 'duplicate');
    // A carrier without duplicate detection books a second parcel, so callers must not retry.
    const isSecondParcel = adapter.duplicates === 'none' || adapter.duplicates === 'lookup';
    if (isSecondParcel) t.is(second.kind, 'accepted');
    if (wire !== null) t.is((await wire.ledger()).length, isSecondParcel ? 2 : 1);
  });

  for (const text of HOSTILE) {
    test(`book: books or reports the text ${JSON.stringify(text).slice(0, 50)}, and never misplaces it`, async (t) => {
      const { account, wire, close } = await open();
      t.teardown(close);
      const to = recipient({ name: `n${text}`, company: text, entrance: text, floor: text, apartment: text });
      const request = booking({ recipient: to, note: text, extraNote: text });

      const outcome = await adapter.book({ ...request, orderNumber: text }, context(account));

      t.is(outcome.kind, 'accepted');
      if (wire !== null)
        t.deepEqual(
          (await wire.ledger()).map((p) => p.reference),
          [request.reference],
        );
    });
  }
}
