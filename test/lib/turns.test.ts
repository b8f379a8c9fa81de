import test from 'ava';
import { Turns } from '../../src/lib/turns.js';

test('Turns: a key has its burst at once, then a turn each time, and delays no other key', (t) => {
  let now = 1000;
  const turns = new Turns({ burst: 2, everyMs: 100 }, () => now);

  const first = [1, 1, 1, 1].map((key) => turns.take(key));
  const other = turns.take(2);
  now += 400;
  const rested = [1, 1, 1].map((key) => turns.take(key));

  t.deepEqual(first, [0, 0, 100, 200]);
  t.is(other, 0);
  t.deepEqual(rested, [0, 0, 100]);
});
