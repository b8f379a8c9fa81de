import test from 'ava';
import { messagesOf, pointsOf } from '../../src/carriers/json.js';
import { jsonReply, saidIn } from '../../src/carriers/json-api.js';
import { jsonOf, objectAt, textAt, valueAt } from '../../src/lib/json.js';
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

test('messagesOf: joins nested messages into one line', (t) => {
  t.is(messagesOf({ a: ['x', 'y'], b: 'z', c: [], d: false }), 'a: x; y; b: z');
  t.is(messagesOf([' x ', null]), 'x');
  for (const nothing of [null, undefined, true, 5, {}, []]) t.is(messagesOf(nothing), '');
  t.is(messagesOf(JSON.parse(`${'['.repeat(5000)}"x"${']'.repeat(5000)}`)), '');
});

test("pointsOf: fills all fields by the carrier's names", (t) => {
  const list = [{ no: 7, name: 'A\nB', city: null }, { name: 'no number' }, null];
  const point = {
    id: '7',
    name: 'A B',
    city: '',
    street: '',
    number: '',
    streetCode: '',
    latitude: '',
    longitude: '',
    remarks: '',
  };

  t.deepEqual(pointsOf(list, 'data', { id: 'no' }), { kind: 'accepted', value: [point] });
  t.deepEqual(pointsOf({ data: list }, 'data', { id: 'no' }), { kind: 'accepted', value: [point] });
  t.is(pointsOf({ points: list }, 'data', { id: 'no' }).kind, 'unknown');
});

test("saidIn: a refusal comes in the carrier's words, wherever they stand", (t) => {
  const said = (body: string, ...places: unknown[]) => saidIn(jsonReply(422, Buffer.from(body)), ...places);

  t.is(said('{"message":"no such city"}', 'no such street', 'later'), 'no such street');
  t.is(said('{"problem":{"city":["is not served"]}}', undefined, ''), 'problem: city: is not served');
  t.is(said('העיר אינה בשירות'), 'העיר אינה בשירות');
  t.is(said('<html><body>nginx</body></html>'), 'The carrier answered HTTP 422.');
  t.is(said(''), 'The carrier answered HTTP 422.');
});
