import test from 'ava';
import { createLimit } from '../../src/lib/limited.js';

test('no more than so many are under way, in the order in which they came, whatever fails', async (t) => {
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
