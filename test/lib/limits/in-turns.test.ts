import test from 'ava';
import { createLimit } from '../../../src/lib/limits/in-turns.js';

test('a limited number of tasks run at once, first in, first out, whatever fails', async (t) => {
  const limit = createLimit(2);
  const order: number[] = [];
  let underWay = 0;
  let most = 0;

  const all = await Promise.allSettled(
    [0, 1, 2, 3, 4, 5].map((n) =>
      limit(async () => {
        underWay += 1;
        most = Math.max(most, underWay);
        order.push(n);
        await new Promise((resolve) => setImmediate(resolve));
        underWay -= 1;
        if (n % 2 === 1) throw new Error('odd');
        return n;
      }),
    ),
  );

  t.is(most, 2);
  t.deepEqual(order, [0, 1, 2, 3, 4, 5]);
  t.deepEqual(
    all.map(({ status }) => status),
    ['fulfilled', 'rejected', 'fulfilled', 'rejected', 'fulfilled', 'rejected'],
  );
  t.is(await limit(async () => 'again'), 'again');
});

test('keys take turns, each in the order in which its work came, whatever fails', async (t) => {
  const limit = createLimit(1);
  const order: string[] = [];

  await Promise.allSettled(
    ['a1', 'a2', 'a3', 'b1', 'a4', 'b2', 'c1'].map((name) =>
      limit(async () => {
        order.push(name);
        await new Promise((resolve) => setImmediate(resolve));
        if (name === 'b1') throw new Error(name);
      }, name.charAt(0)),
    ),
  );

  t.deepEqual(order, ['a1', 'a2', 'b1', 'c1', 'a3', 'b2', 'a4']);
});
