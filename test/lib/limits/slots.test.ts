import test from 'ava';
import { Slots } from '../../../src/lib/limits/slots.js';

test('Slots: a key has its part, all keys the whole, and what is given back can be taken again', (t) => {
  const slots = new Slots({ total: 5, perKey: 3 });

  const first = slots.tryTake('a', 2);
  const second = slots.tryTake('a', 2);
  const other = slots.tryTake('b', 3);
  const third = slots.tryTake('c');
  first?.();

  t.not(first, null);
  t.is(second, null);
  t.not(other, null);
  t.is(third, null);
  t.deepEqual([slots.free('a'), slots.free('b'), slots.free('c')], [2, 0, 2]);
});

test('Slots: a smaller whole holds for whom it is given, and what is there already counts in any case', (t) => {
  const slots = new Slots({ total: 4 });
  const leave = slots.take('a', 3);

  t.is(slots.tryTake('b', 1, 3), null);
  t.is(slots.free('b'), 1);
  slots.take('b', 5);
  t.is(slots.free('b'), -4);
  leave();
  t.is(slots.free('b'), -1);
});

test('Slots: work waits for a slot, and begins in the order in which it came, whatever fails', async (t) => {
  const slots = new Slots({ total: 2 });
  const order: number[] = [];
  let most = 0;

  const all = await Promise.allSettled(
    [0, 1, 2, 3, 4, 5].map((n) =>
      slots.use(async () => {
        most = Math.max(most, slots.taken(undefined));
        order.push(n);
        await new Promise((resolve) => setImmediate(resolve));
        if (n % 2 === 1) throw new Error('odd');
      }),
    ),
  );

  t.is(most, 2);
  t.deepEqual(order, [0, 1, 2, 3, 4, 5]);
  t.is(all.filter(({ status }) => status === 'rejected').length, 3);
  t.is(await slots.use(async () => 'again'), 'again');
});

test('Slots: keys take turns, and one that has its part keeps no other waiting', async (t) => {
  const slots = new Slots({ total: 2, perKey: 1 });
  const order: string[] = [];

  await Promise.all(
    ['a1', 'a2', 'a3', 'b1', 'a4', 'b2', 'c1'].map((name) =>
      slots.use(async () => {
        order.push(name);
        await new Promise((resolve) => setImmediate(resolve));
      }, name.charAt(0)),
    ),
  );

  t.deepEqual(order.slice(0, 2), ['a1', 'b1']);
  t.deepEqual(
    order.filter((name) => name.startsWith('a')),
    ['a1', 'a2', 'a3', 'a4'],
  );
  t.true(order.indexOf('c1') < order.indexOf('a3'));
});
