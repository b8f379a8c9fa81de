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
