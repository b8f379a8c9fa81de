import test from 'ava';
import { jsonOf, objectAt, stringAt, textAt, valueAt } from '../../src/lib/json.js';
import { patient } from '../support/patience.js';

test('jsonOf: returns JSON or undefined and never throws', (t) => {
  t.deepEqual(jsonOf(Buffer.from('{"a":[1]}')), { a: [1] });
  t.deepEqual(jsonOf(Buffer.from('\ufeff{"a":[1]}')), { a: [1] });
  for (const body of ['', '{', '['.repeat(100_000), '\u0000']) t.is(jsonOf(Buffer.from(body)), undefined);
});

test('valueAt: finds nested values but no inherited ones', (t) => {
  const value: unknown = JSON.parse('{"a":{"b":5,"c":" x ","n":null},"l":[7]}');

  t.is(textAt(value, 'a', 'b'), '5');
  t.is(textAt(value, 'a', 'c'), 'x');
  t.is(textAt(value, 'l', '0'), '7');
  for (const names of [['a', 'n'], ['a', 'n', 'x'], ['toString'], ['__proto__'], ['l', 'length', 'x'], ['a']])
    t.is(textAt(value, ...names), '', names.join('.'));
  t.is(valueAt(undefined, 'a'), undefined);
});

test('valueAt: does not read other members', (t) => {
  const value = Object.fromEntries(Array.from({ length: 33_000 }, (_, index) => [`k${index}`, index]));
  const start = performance.now();

  const found = Array.from({ length: 300 }, (_, index) => textAt(value, `k${index}`));

  const spentMs = performance.now() - start;
  t.is(found[299], '299');
  t.true(spentMs < patient(500), `${spentMs} ms`);
});

test('objectAt: finds objects but no lists and texts', (t) => {
  const value: unknown = JSON.parse('{"a":{"b":{"c":5},"l":[{}],"t":"x","n":null}}');

  t.deepEqual(objectAt(value, 'a', 'b'), { c: 5 });
  for (const name of ['l', 't', 'n', 'missing', '__proto__']) t.is(objectAt(value, 'a', name), null);
  t.is(objectAt([]), null);
});

test('stringAt: finds strings as they are, and nothing else', (t) => {
  const value: unknown = JSON.parse('{"a":{"b":" x ","n":5}}');

  t.is(stringAt(value, 'a', 'b'), ' x ');
  for (const names of [['a', 'n'], ['a'], ['missing', 'b'], ['toString', 'name']])
    t.is(stringAt(value, ...names), undefined, names.join('.'));
});
