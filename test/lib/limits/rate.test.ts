import test from 'ava';
import { Rate } from '../../../src/lib/limits/rate.js';

const WHENEVER = Number.POSITIVE_INFINITY;

test('Rate: a key has its burst at once, then a turn each time, and delays no other key', (t) => {
  let now = 1000;
  const rate = new Rate({ burst: 2, perSecond: 10 }, () => now);

  const first = [1, 1, 1, 1].map((key) => rate.take(key, WHENEVER));
  const other = rate.take(2, WHENEVER);
  now += 400;
  const rested = [1, 1, 1].map((key) => rate.take(key, WHENEVER));

  t.deepEqual(first, [0, 0, 100, 200]);
  t.is(other, 0);
  t.deepEqual(rested, [0, 0, 100]);
});

test('Rate: a turn that comes too late is not taken', (t) => {
  let now = 0;
  const rate = new Rate({ burst: 1, perSecond: 10 }, () => now);
  rate.take();

  const late = [rate.take('', 99), rate.take()];
  const inTime = rate.take('', 100);
  now += 200;

  t.deepEqual(late, [null, null]);
  t.is(inTime, 100);
  t.is(rate.take(), 0);
});

test('Rate: keys that have rested are forgotten, those that have not are kept', (t) => {
  let now = 0;
  const rate = new Rate({ burst: 2, perSecond: 1 }, () => now);
  for (let key = 0; key < 1000; key += 1) rate.take(key);
  now += 1000;
  rate.take('busy');
  rate.take('busy');

  const fresh = rate.take(1001);

  t.is(fresh, 0);
  t.is(rate.take('busy'), null);
  t.deepEqual([rate.take(5), rate.take(5), rate.take(5)], [0, 0, null]);
});
