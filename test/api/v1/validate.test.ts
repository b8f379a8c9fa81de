import test from 'ava';
import { Type } from 'typebox';
import { readInput } from '../../../src/api/v1/input.js';
import { en } from '../../../src/api/v1/messages/en.js';
import { inputCheck, summaryOf } from '../../../src/api/v1/validate.js';

const schema = Type.Object({
  id: Type.String({ maxLength: 5 }),
  count: Type.Optional(Type.Integer({ minimum: 1, maximum: 9 })),
  total: Type.Optional(Type.Number()),
  urgent: Type.Optional(Type.Boolean()),
  size: Type.Optional(Type.Unsafe<string>({ type: 'string', enum: ['0', '1', 'SMALL'] })),
  ship_data: Type.Optional(Type.Object({ city: Type.String(), floor: Type.Optional(Type.String()) })),
  items: Type.Optional(
    Type.Array(Type.Object({ name: Type.String(), quantity: Type.Integer({ minimum: 1 }) }), { maxItems: 3 }),
  ),
});
const check = inputCheck<unknown>(schema);
const read = (body: unknown, query = '') =>
  readInput(query, { contentType: 'application/json', coding: '', bytes: Buffer.from(JSON.stringify(body)) });
const checked = (body: unknown) => check(read(body), en);

test('texts are trimmed, and empty ones count as not given', (t) => {
  t.deepEqual(checked({ id: ' \t\u200ba b\ufeff\0', count: '', total: null, ship_data: '' }), {
    ok: true,
    input: { id: 'a b' },
  });
});

test('numbers and booleans come as texts, and lists as objects, as PHP sends them', (t) => {
  const result = checked({
    id: 'a',
    count: '7',
    total: '12.50',
    urgent: '0',
    size: 1,
    items: { 1: { name: 'x', quantity: '2' }, 5: { name: 'y', quantity: 1 } },
  });

  t.deepEqual(result, {
    ok: true,
    input: {
      id: 'a',
      count: 7,
      total: 12.5,
      urgent: false,
      size: '1',
      items: [
        { name: 'x', quantity: 2 },
        { name: 'y', quantity: 1 },
      ],
    },
  });
});

for (const [urgent, expected] of [
  [true, true],
  [1, true],
  ['1', true],
  ['true', true],
  [false, false],
  [0, false],
  ['0', false],
] as const) {
  test(`a boolean may be ${JSON.stringify(urgent)}`, (t) => {
    t.deepEqual(checked({ id: 'a', urgent }), { ok: true, input: { id: 'a', urgent: expected } });
  });
}

test('unknown fields are kept, but for a prototype', (t) => {
  const result = check(
    readInput('', {
      contentType: 'application/json',
      coding: '',
      bytes: Buffer.from('{"id":"a","other":{"x":" 1 ","__proto__":{"y":1}},"__proto__":{"z":1}}'),
    }),
    en,
  );

  t.deepEqual(result, { ok: true, input: { id: 'a', other: { x: '1' } } });
});

for (const [body, errors] of [
  [{}, { id: ['The id field is required.'] }],
  [{ id: 5 }, { id: ['The id field must be a string.'] }],
  [{ id: ['a'] }, { id: ['The id field must be a string.'] }],
  [{ id: 'abcdef' }, { id: ['The id field must not be greater than 5 characters.'] }],
  [{ id: 'a', count: '1.5' }, { count: ['The count field must be an integer.'] }],
  [{ id: 'a', count: 0 }, { count: ['The count field must be at least 1.'] }],
  [{ id: 'a', count: '10' }, { count: ['The count field must not be greater than 9.'] }],
  [{ id: 'a', total: 'x' }, { total: ['The total field must be a number.'] }],
  [{ id: 'a', urgent: 'maybe' }, { urgent: ['The urgent field must be true or false.'] }],
  [{ id: 'a', size: 'HUGE' }, { size: ['The selected size is invalid.'] }],
  [{ id: 'a', ship_data: [] }, { 'ship_data.city': ['The ship data.city field is required.'] }],
  [{ id: 'a', ship_data: 'x' }, { ship_data: ['The ship data field must be an array.'] }],
  [{ id: 'a', items: 'x' }, { items: ['The items field must be an array.'] }],
  [
    { id: 'a', items: [{ name: 'x', quantity: 1 }, { quantity: '0' }] },
    {
      'items.1.name': ['The items.1.name field is required.'],
      'items.1.quantity': ['The items.1.quantity field must be at least 1.'],
    },
  ],
] as const) {
  test(`${JSON.stringify(body)} is refused`, (t) => {
    t.deepEqual(checked(body), { ok: false, errors });
  });
}

test('errors stand in the order of the schema, and the summary counts the others', (t) => {
  const result = checked({ urgent: 'x', count: 'y' });

  t.false(result.ok);
  const errors = result.ok ? {} : result.errors;
  t.deepEqual(Object.keys(errors), ['id', 'count', 'urgent']);
  t.is(summaryOf(errors, en), 'The id field is required. (and 2 more errors)');
  t.is(summaryOf({ a: ['One.', 'Two.'] }, en), 'One. (and 1 more error)');
  t.is(summaryOf({ a: ['One.'] }, en), 'One.');
});

test('rules over several fields add to what the schema finds', (t) => {
  const withRule = inputCheck<unknown>(schema, [() => ({ id: ['Taken.'], city: ['Needed.'] })]);

  t.deepEqual(withRule(read({}), en), {
    ok: false,
    errors: { id: ['The id field is required.', 'Taken.'], city: ['Needed.'] },
  });
});

test('a query has lists and objects in brackets', (t) => {
  const none = { contentType: '', coding: '', bytes: Buffer.from('{"a":"body"}') };

  t.deepEqual(readInput('a=1&a=2&b[x]=3&b[y][]=4&b[y][]=5&c%5Bz%5D=6&d=&e', none), {
    a: '2',
    b: { x: '3', y: { 0: '4', 1: '5' } },
    c: { z: '6' },
    d: null,
    e: null,
  });
});

for (const [query, a] of [
  ['a[]=x&a[]=y', { 0: 'x', 1: 'y' }],
  ['a[k]=x&a[]=y&a[]=z', { k: 'x', 1: 'y', 2: 'z' }],
  ['a[5]=x&a[]=y&a[]=z', { 5: 'x', 1: 'y', 2: 'z' }],
  ['a[1]=x&a[]=y&a[]=z', { 1: 'z' }],
  ['a[k]=x&a[k]=y&a[]=z', { k: 'y', 1: 'z' }],
  ['a[][b]=x&a[][b]=y', { 0: { b: 'x' }, 1: { b: 'y' } }],
  ['a[k][]=x&a[k][]=y&a[]=z', { k: { 0: 'x', 1: 'y' }, 1: 'z' }],
  ['a[]=x&a=y&a[]=z', { 0: 'z' }],
  ['a[k][]=x&a[k]=y&a[k][]=z', { k: { 0: 'z' } }],
] as const) {
  test(`the query ${query} is read`, (t) => {
    t.deepEqual(readInput(query, { contentType: '', coding: '', bytes: Buffer.alloc(0) }), { a });
  });
}

test('a thousand entries without a key are read in about the time of a thousand that have one', (t) => {
  const none = { contentType: '', coding: '', bytes: Buffer.alloc(0) };
  const msOf = (query: string) => {
    const start = performance.now();
    readInput(query, none);
    return performance.now() - start;
  };
  const keyed = Array.from({ length: 1000 }, (_, index) => `a[${index}]=1`).join('&');
  const keyless = Array(1000).fill('a[]=1').join('&');

  // In turns, and the best of many: the first ones run before anything is compiled.
  const times = Array.from({ length: 50 }, () => ({ keyed: msOf(keyed), keyless: msOf(keyless) }));

  const keyedMs = Math.min(...times.map((time) => time.keyed));
  const keylessMs = Math.min(...times.map((time) => time.keyless));
  t.deepEqual(readInput(keyless, none), readInput(keyed, none));
  t.true(keylessMs < 3 * keyedMs, `${keylessMs} ms, ${keyedMs} ms`);
});
