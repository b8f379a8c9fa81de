import test from 'ava';
import { choices } from '../../src/lib/choices.js';

test('each value once, null by its name', (t) => {
  t.is(choices([1, 2, '1', '2', null]), '1, 2, null');
});
