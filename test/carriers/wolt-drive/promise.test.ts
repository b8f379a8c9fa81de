import test from 'ava';
import { readConfig } from '../../../src/carriers/wolt-drive/config.js';
import { woltDrive } from '../../../src/carriers/wolt-drive/index.js';
import { isOpen, shownPrice } from '../../../src/carriers/wolt-drive/promise.js';
import { startSandbox } from '../../../tools/doubles/carriers/server.js';
import { context, woltAccount } from '../support.js';

function settingsOf(settings: Record<string, unknown>) {
  const config = readConfig(woltAccount('http://h', settings));
  if (config === null) throw new Error('The settings are not valid.');
  return config.settings;
}

/** Winter: Israel is two hours before UTC. */
const at = (utc: string) => new Date(`2026-11-22T${utc}Z`);

test('isOpen: from the first minute to before the last', (t) => {
  const day = settingsOf({ opening_time: '09:00', closing_time: '18:00' });

  const open = ['06:59:59', '07:00:00', '15:59:59', '16:00:00'].map((utc) => isOpen(day, at(utc)));

  t.deepEqual(open, [false, true, true, false]);
});

test('isOpen: hours may span midnight', (t) => {
  const night = settingsOf({ opening_time: '20:00', closing_time: '02:00' });

  const open = ['17:59:59', '18:00:00', '22:30:00', '23:59:59', '00:00:00', '09:00:00'].map((utc) =>
    isOpen(night, at(utc)),
  );

  t.deepEqual(open, [false, true, true, true, false, false]);
});

test("isOpen: follows Israel's daylight saving time", (t) => {
  const day = settingsOf({ opening_time: '09:00', closing_time: '18:00' });

  t.true(isOpen(day, new Date('2026-07-01T06:00:00Z')));
  t.false(isOpen(day, new Date('2026-12-01T06:00:00Z')));
});

test('isOpen: always, without both times or with equal ones', (t) => {
  for (const settings of [
    {},
    { opening_time: '09:00' },
    { closing_time: '09:00' },
    { opening_time: '09:00', closing_time: '09:00' },
  ]) {
    for (const utc of ['00:00:00', '07:00:00', '23:00:00']) t.true(isOpen(settingsOf(settings), at(utc)));
  }
});

test('shownPrice: exact to the hundredth', (t) => {
  const markup = (price: string) => settingsOf({ price_type: 'markup', markup_price: price });
  const cases = [
    [1999, settingsOf({}), 19.99],
    [5, settingsOf({}), 0.05],
    [0, settingsOf({}), 0],
    [1000.5, settingsOf({}), 10.01],
    [1000.4, settingsOf({}), 10],
    [10, markup('0.20'), 0.3],
    [110, markup('2.2'), 3.3],
    [435, markup('0'), 4.35],
    [9_007_199_254_740_991, markup('0.01'), 90_071_992_547_409.92],
    [1999, settingsOf({ price_type: 'fix', fix_price: '25' }), 25],
    [1999, settingsOf({ price_type: 'fix', fix_price: '0.1', markup_price: '9' }), 0.1],
    [1999, settingsOf({ price_type: 'carrier', fix_price: '25', markup_price: '9' }), 19.99],
  ] as const;

  for (const [minor, settings, shown] of cases) t.is(shownPrice(minor, settings), shown);
});

test('shownPrice: exact for every amount and markup', (t) => {
  for (let minor = 0; minor < 3000; minor += 7) {
    const added = (minor * 31) % 10_000;
    const markup = `${Math.floor(added / 100)}.${String(added % 100).padStart(2, '0')}`;

    const shown = shownPrice(minor, settingsOf({ price_type: 'markup', markup_price: markup }));

    const sum = String(minor + added).padStart(3, '0');
    t.is(shown?.toFixed(2), `${sum.slice(0, -2)}.${sum.slice(-2)}`);
    t.regex(String(shown), /^\d+(\.\d{1,2})?$/);
  }
});

test('shownPrice: null for anything but an amount', (t) => {
  for (const minor of [undefined, null, '1999', -1, Number.NaN, Number.POSITIVE_INFINITY, 1e21, {}]) {
    t.is(shownPrice(minor, settingsOf({})), null);
  }
});

test('shippingPromise: sends nothing outside the hours', async (t) => {
  const hours = { opening_time: '09:00', closing_time: '18:00' };
  const dead = context(woltAccount('http://127.0.0.1:1', hours));
  const to = { city: 'חולון', street: 'סוקולוב', number: '3' };

  const closed = await woltDrive.shippingPromise?.({ to, now: at('20:00:00') }, dead);
  const open = await woltDrive.shippingPromise?.({ to, now: at('10:00:00') }, dead);

  t.deepEqual(closed, {
    kind: 'rejected',
    code: 'closed',
    text: 'Delivery area will be closed at the requested delivery time',
  });
  t.is(open?.kind, 'unavailable');
});

test('pricedPromise: replaces only the price', async (t) => {
  const sandbox = await startSandbox('wolt_drive');
  t.teardown(sandbox.close);
  const to = { city: 'חולון', street: 'סוקולוב', number: '3' };
  const request = { to, now: at('10:00:00') };

  const plain = await woltDrive.shippingPromise?.(request, context(woltAccount(sandbox.url)));
  const fixed = await woltDrive.shippingPromise?.(
    request,
    context(woltAccount(sandbox.url, { price_type: 'fix', fix_price: '30.00' })),
  );

  if (plain?.kind !== 'accepted' || fixed?.kind !== 'accepted') return t.fail(fixed?.kind);
  const { amount, currency } = plain.value.price as { amount: number; currency: string };
  t.true(amount > 10 && amount < 50);
  t.deepEqual(fixed.value.price, { amount: 30, currency });
  const names = ['created_at', 'dropoff', 'id', 'is_binding', 'pickup', 'price', 'time_estimate_minutes'];
  t.deepEqual(Object.keys(plain.value).toSorted(), [...names, 'valid_until']);
  t.like(plain.value, { dropoff: { location: { formatted_address: 'סוקולוב 3, חולון' } } });
});
