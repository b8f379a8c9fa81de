import test from 'ava';
import type { CarrierAdapter, SameDayQuoter } from '../../src/carriers/contract.js';
import type { Open } from './harness.js';
import { context } from './support.js';

const FROM = { city: 'תל אביב-יפו', street: 'אלנבי', number: '1' };
const TO = { city: 'תל אביב-יפו', street: 'הרצל', number: '12' };

export function quotes(quoter: SameDayQuoter, open: Open): void {
  test('settlements: lists the served ones and accepts no other reply', async (t) => {
    const { account, wire, close } = await open();
    t.teardown(close);

    const listed = await quoter.settlements(context(account));

    if (listed.kind !== 'accepted') return t.fail(listed.kind);
    t.true(listed.value.includes(FROM.city));
    t.is(new Set(listed.value).size, listed.value.length);
    for (const fault of [
      { kind: 'truncate', value: 1 },
      { kind: 'status', value: 500 },
      { kind: 'error_in_200', value: 1 },
    ]) {
      await wire?.fault({ operation: 'region', ...fault });
      t.not((await quoter.settlements(context(account))).kind, 'accepted', JSON.stringify(fault));
    }
  });

  test('quote: quotes every size and books nothing', async (t) => {
    const { account, wire, close } = await open();
    t.teardown(close);

    for (const packageSize of ['ENVELOPE', 'SMALL', 'MEDIUM', 'LARGE'] as const) {
      const quoted = await quoter.quote({ from: FROM, to: TO, packageSize }, context(account));

      if (quoted.kind !== 'accepted') return t.fail(quoted.kind);
      t.true(Object.keys(quoted.value).length > 0);
    }
    t.deepEqual(await wire?.ledger(), []);
  });

  test("quote: a refusal has the HTTP status as code and the carrier's JSON as body", async (t) => {
    const { account, wire, close } = await open();
    t.teardown(close);
    const request = { from: FROM, to: { ...TO, city: '' }, packageSize: 'SMALL' } as const;

    const refused = await quoter.quote(request, context(account));

    if (refused.kind !== 'rejected') return t.fail(refused.kind);
    t.regex(refused.code, /^http_4\d\d$/);
    t.is(typeof refused.body, 'object');
    t.not(refused.text, '');
    for (const value of [401, 429, 500]) {
      await wire?.fault({ operation: 'quote', kind: 'status', value });
      const failed = await quoter.quote({ ...request, to: TO }, context(account));
      t.like(failed, { kind: 'rejected', code: `http_${value}` });
    }
  });

  test('quote: a lost answer or an unreachable carrier is no refusal', async (t) => {
    const { account, wire, close } = await open();
    t.teardown(close);
    if (wire === null) return t.fail();
    const request = { from: FROM, to: TO, packageSize: 'SMALL' } as const;
    await wire.fault({ operation: 'quote', kind: 'truncate', value: 1 });

    const lost = await quoter.quote(request, context(account));
    const dead = await quoter.quote(request, context(wire.deadAccount));
    const invalid = await quoter.quote(request, context({ ...account, settings: {} }));

    t.is(lost.kind, 'unknown');
    t.is(dead.kind, 'unavailable');
    t.like(invalid, { kind: 'rejected', code: 'invalid_settings' });
  });
}

export function promises(adapter: CarrierAdapter, open: Open): void {
  const request = () => ({ to: TO, now: new Date() });

  test('shippingPromise: promises a price with two decimals and books nothing', async (t) => {
    const { account, wire, close } = await open();
    t.teardown(close);

    const promised = await adapter.shippingPromise?.(request(), context(account));

    if (promised?.kind !== 'accepted') return t.fail(promised?.kind);
    const { amount } = promised.value.price as { amount: number };
    t.regex(String(amount), /^\d+(\.\d{1,2})?$/);
    t.deepEqual(await wire?.ledger(), []);
  });

  test('shippingPromise: a refused or lost promise is none', async (t) => {
    const { account, wire, close } = await open();
    t.teardown(close);
    if (wire === null) return t.fail();
    const expected = [
      [{ kind: 'error_in_200', value: 1 }, 'rejected'],
      [{ kind: 'status', value: 401 }, 'unauthorized'],
      [{ kind: 'status', value: 429 }, 'throttled'],
      [{ kind: 'status', value: 500 }, 'unknown'],
      [{ kind: 'truncate', value: 1 }, 'unknown'],
    ] as const;

    for (const [fault, kind] of expected) {
      await wire.fault({ operation: 'quote', ...fault });
      t.is((await adapter.shippingPromise?.(request(), context(account)))?.kind, kind, JSON.stringify(fault));
    }
    t.is((await adapter.shippingPromise?.(request(), context(wire.deadAccount)))?.kind, 'unavailable');
    const invalid = await adapter.shippingPromise?.(request(), context({ ...account, settings: {} }));
    t.like(invalid, { kind: 'rejected', code: 'invalid_settings' });
  });
}
