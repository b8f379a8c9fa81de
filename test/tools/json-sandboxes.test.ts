import test from 'ava';
import { cargo } from '../../src/carriers/cargo/index.js';
import type { CarrierAccount, CarrierAdapter } from '../../src/carriers/contract.js';
import { lionwheel } from '../../src/carriers/lionwheel/index.js';
import { type SandboxProvider, startSandbox } from '../../tools/doubles/carriers/server.js';
import { booking, cargoAccount, context, lionwheelAccount, parcel } from '../carriers/support.js';

interface Case {
  provider: SandboxProvider;
  adapter: CarrierAdapter;
  accountAt: (url: string) => CarrierAccount;
  /** A booking under the reference, as the ledger shows it. */
  told: (reference: string) => object;
  /** The carrier's codes of `out_for_delivery`, and one that is in its protocol only. */
  codes: [string, string];
  create: string;
}

const CASES: Case[] = [
  {
    provider: 'lionwheel',
    adapter: lionwheel,
    accountAt: lionwheelAccount,
    told: (reference) => ({ original_order_id: reference, notes: '#1001', destination_city: 'תל אביב-יפו' }),
    codes: ['ACTIVE', '9'],
    create: '/api/v1/tasks/create',
  },
  {
    provider: 'cargo',
    adapter: cargo,
    accountAt: cargoAccount,
    told: (reference) => ({ transaction_id: reference, order_id: '1001', customer_code: 3175 }),
    codes: ['50', '9'],
    create: '/api/shipments/create',
  },
];

for (const { provider, adapter, accountAt, told, codes, create } of CASES) {
  test(`${provider}: the ledger has the fields that were sent, parcels advance by name and by number`, async (t) => {
    const sandbox = await startSandbox(provider);
    t.teardown(sandbox.close);
    const post = async (path: string, body: unknown) => {
      const headers = { 'content-type': 'application/json' };
      return fetch(sandbox.url + path, { method: 'POST', headers, body: JSON.stringify(body) });
    };
    const calls = context(accountAt(sandbox.url));
    const request = booking();
    const booked = await adapter.book(request, calls);
    if (booked.kind !== 'accepted') return t.fail(booked.kind);
    const { trackingCode: code, carrierReference } = booked.value;
    const read = async () => {
      const found = await adapter.status?.fetch([parcel(request.reference, code, carrierReference)], calls);
      return found?.kind === 'accepted' ? found.value[0]?.events[0] : undefined;
    };

    const [entry] = (await (await fetch(`${sandbox.url}/__ledger`)).json()) as { request: object }[];
    const named = await post('/__advance', { code, status: 'out_for_delivery' });
    const byName = await read();
    const numbered = await post('/__advance', { code, status: codes[1] });
    const byNumber = await read();
    const unheard = await post('/__advance', { code, status: '4711' });
    const strange = await read();
    const nonsense = await post('/__advance', { code, status: 'nonsense' });

    t.like(entry?.request, told(request.reference));
    t.deepEqual(
      [named, numbered, unheard, nonsense].map(({ status }) => status),
      [200, 200, 200, 400],
    );
    t.like(byName, { code: 'out_for_delivery', carrierCode: codes[0] });
    t.not(byNumber?.carrierCode, byName?.carrierCode);
    t.not(byNumber?.code, undefined);
    t.like(strange, { code: undefined, carrierCode: '4711' });
  });

  test(`${provider}: takes no field that the carrier lacks, and no value of another type`, async (t) => {
    const sandbox = await startSandbox(provider);
    t.teardown(sandbox.close);
    const bookings: string[] = [];
    const calls = context(accountAt(sandbox.url));
    await adapter.book(booking(), calls);
    const [entry] = (await (await fetch(`${sandbox.url}/__ledger`)).json()) as { request: object }[];
    const good = { ...entry?.request, original_order_id: undefined, transaction_id: undefined };

    for (const change of [{ unheard_of: 1 }, { notes: 5 }, { cod_type: 9 }, {}]) {
      const reply = await fetch(sandbox.url + create, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ ...good, ...change }),
      });
      bookings.push(String(reply.status));
    }
    const plain = await fetch(sandbox.url + create, { method: 'POST', body: JSON.stringify(good) });

    t.deepEqual(bookings.slice(0, 3), ['422', '422', '422']);
    t.regex(bookings[3] ?? '', /^20[01]$/);
    t.regex(String(plain.status), /^4(?:15|22)$/);
    t.is(((await (await fetch(`${sandbox.url}/__ledger/count`)).json()) as { count: number }).count, 2);
  });
}
