import { createHash } from 'node:crypto';
import test from 'ava';
import { Type } from 'typebox';
import { fingerprintOf } from '../../src/api/idempotency.js';
import { parseJson } from '../../src/api/json-body.js';
import { readBatchBody } from '../../src/api/v2/batches/body.js';
import { toMoment } from '../../src/api/v2/shipments/moment.js';
import { fieldErrors } from '../../src/api/validation.js';
import { toDecimal } from '../../src/domain/decimal.js';
import { validationError } from '../../src/domain/errors.js';
import { quoted, textsOf } from '../../src/domain/problems/problem.js';
import { writeCanonicalJson } from '../../src/lib/canonical-json.js';
import { compileOnUse } from '../../src/lib/schema.js';
import { type Random, seededRandom } from '../faults/seeded-random.js';

const VALID = [
  '{}',
  '[]',
  ' {"a" : [1, -0.5e2, "x\\u00e9\\n\\"", true, null, {"b":{}}]} ',
  '"\u2028"',
  '0',
  '9007199254740991',
  '"\\ud83d\\ude00"',
  '{"a":1,"b":{"c":2,"c":3},"a":[4]}',
  '{"constructor":1,"toString":null,"":""}',
  `${'['.repeat(32)}${']'.repeat(32)}`,
  '"[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[ \\" {{{"',
];
for (const text of VALID) {
  test(`reads ${text} as JSON.parse does`, (t) => {
    t.deepEqual(parseJson(Buffer.from(text)), { value: JSON.parse(text), unsafeTexts: [] });
  });
}

const INVALID = [
  '',
  ' ',
  '{',
  '[1,]',
  '{"a":1,}',
  '{a:1}',
  "'a'",
  '01',
  '1.',
  '.5',
  '+1',
  'NaN',
  'tru',
  '"a',
  '"\t"',
  '"\\x41"',
  '"\\u12g4"',
  '[1 2]',
  '{"a" 1}',
  '1 2',
  '1e400',
  '{"__proto__":1}',
  '{"a":[{"\\u005f_proto__":{"isAdmin":true}}]}',
  '9007199254740993',
  '[-9007199254740992]',
  '{"a":12345678901234567890}',
  `${'['.repeat(33)}${']'.repeat(33)}`,
  `{"a":`.repeat(33) + '1' + '}'.repeat(33),
  '//',
  '"\\',
];
for (const text of INVALID) {
  test(`refuses ${JSON.stringify(text)}`, (t) => {
    t.throws(() => parseJson(Buffer.from(text)), { name: 'AppError', message: /./ });
  });
}

test('a byte order mark before the body is skipped, and no second one', (t) => {
  t.deepEqual(parseJson(Buffer.from('\ufeff{}')).value, {});
  t.throws(() => parseJson(Buffer.from('\ufeff\ufeff{}')), { name: 'AppError' });
});

test('names where a text holds NUL or half of a pair', (t) => {
  const parsed = parseJson(Buffer.from('{"a":["\\u0000",{"b":"\\udc00"}]}'));

  t.deepEqual(parsed.unsafeTexts, ['a.0', 'a.1.b']);
});

test('a path is whole text, whatever the keys are; the outermost value is the body', (t) => {
  const parsed = parseJson(Buffer.from('{"\\u0000":{"a\\ud800\\u0000":"\\udc00"}}'));

  t.deepEqual(parsed.unsafeTexts, ['body', '\ufffd', '\ufffd.a\ufffd\ufffd']);
});

test('a path of long keys is shown by its two ends, without half of a pair', (t) => {
  const key = `${'😀'.repeat(60)}${'a'.repeat(100_000)}`;
  const twice = { [key]: { b: ['\0', '\0'] } };

  const parsed = parseJson(Buffer.from(JSON.stringify(twice)));

  t.deepEqual(parsed.unsafeTexts, [
    `${'😀'.repeat(19)}…${'a'.repeat(39)}.b.0`,
    `${'😀'.repeat(19)}…${'a'.repeat(39)}.b.1`,
  ]);
});

test('an error at a key of the caller names it by its two ends, once each rule', (t) => {
  const schema = Type.Object(
    {},
    { additionalProperties: Type.Object({ id: Type.String({ maxLength: 1 }) }) },
  );
  const check = compileOnUse(schema)();
  const long = 'k'.repeat(100_000);

  check(
    Object.fromEntries(Array.from({ length: 300 }, (_, index) => [`${long}${index}${long}`, { id: 'no' }])),
  );
  const { fields = {} } = validationError(fieldErrors(check.errors));

  const path = `${'k'.repeat(39)}…${'k'.repeat(39)}.id`;
  t.deepEqual(textsOf(fields), { [path]: [`The ${path} field must not have more than 1 characters.`] });
});

test('a refusal names a limited number of fields, from any check', (t) => {
  const wrong = Object.fromEntries(
    Array.from({ length: 300 }, (_, index) => [`f${index}`, [quoted('Wrong.')]]),
  );

  const { fields = {} } = validationError(wrong);

  t.is(Object.keys(fields).length, 100);
  t.true('f0' in fields);
});

test('a refusal of what is no JSON tells where, and nothing of the body', (t) => {
  const secret = '{"client_secret":"sk_123",}';

  const error = t.throws(() => parseJson(Buffer.from(secret)));

  t.regex(error?.message ?? '', /^The request body is not valid JSON at position \d+\.$/);
});

for (const [what, text, count] of [
  ['entries of an array', '[1,{"a":2},[]]', 5],
  ['members of an object', '{"a":1, "b":[ ], "c":{ }, "d":"x,[{"}', 5],
  ['nothing but a text', '"[1,2,3]"', 1],
  ['empty arrays', '[[ ],[[]]]', 4],
] as const) {
  test(`parseJson: counts ${what}`, (t) => {
    const bytes = Buffer.from(text);

    t.notThrows(() => parseJson(bytes, count));
    t.throws(() => parseJson(bytes, count - 1), { code: 'payload_too_large' });
  });
}

test('parseJson: an object has a thousand members at most, an array more entries', (t) => {
  const members = (count: number) =>
    `{${Array.from({ length: count }, (_, index) => `"k${index}":[{}]`).join(',')}}`;
  const read = (text: string) => parseJson(Buffer.from(text));
  const message = 'An object of the request body has more than 1000 members.';

  t.notThrows(() => read(`[${members(1000)}, ${members(1000)}]`));
  t.notThrows(() => read(`{"a":[${Array(2000).fill('{}').join(',')}]}`));
  t.throws(() => read(members(1001)), { code: 'payload_too_large', message });
  t.throws(() => read(`[[{"a":{"b":${members(1001)}}}]]`), { code: 'payload_too_large', message });
  t.throws(() => read(`{"a":{},"b":[[{}]],${members(999).slice(1)}`), { code: 'payload_too_large', message });
});

test('canonical JSON sorts keys by code units at every level (RFC 8785)', (t) => {
  const pieces: string[] = [];

  writeCanonicalJson(
    { '\u20ac': 1, '\r': 2, 1: [{ b: 1e21, a: 0.000001 }], ö: 'x\u000f', o: {}, z: [] },
    (piece) => pieces.push(piece),
  );

  t.is(pieces.join(''), '{"\\r":2,"1":[{"a":0.000001,"b":1e+21}],"o":{},"z":[],"ö":"x\\u000f","€":1}');
});

/** How the fingerprints that are stored were made: the whole canonical text at once. */
function storedFingerprint(body: unknown): string {
  const canonical = (value: unknown): string => {
    if (Array.isArray(value)) return `[${value.map(canonical).join(',')}]`;
    if (typeof value !== 'object' || value === null) return JSON.stringify(value) ?? 'null';
    const members = Object.entries(value)
      .sort(([one], [other]) => (one < other ? -1 : 1))
      .map(([key, member]) => `${JSON.stringify(key)}:${canonical(member)}`);
    return `{${members.join(',')}}`;
  };
  return createHash('sha256')
    .update(`v1\nPOST\n/api/v2/shipments\n${canonical(body)}`)
    .digest('hex');
}

test('fingerprints are those that are stored, whatever the body', (t) => {
  const random = seededRandom(20_261_122);

  for (let count = 0; count < 2000; count += 1) {
    const body = JSON.parse(JSON.stringify(anyValue(random, 0)));

    t.is(fingerprintOf({ method: 'POST', route: '/api/v2/shipments', body }), storedFingerprint(body));
  }
  const large = Array.from({ length: 20_000 }, (_, index) => ({ [`k${index % 7}`]: `שלום 😀 ${index}` }));
  t.is(fingerprintOf({ method: 'POST', route: '/api/v2/shipments', body: large }), storedFingerprint(large));
});

const TEXTS = ['', 'a', 'B', '10', '9', 'é', 'שלום', '😀', '\uffff', '"\\\n\u0007', 'constructor', '\u2028'];
const NUMBERS = [0, -0, 1, -1.5, 1e21, 1e-7, 0.1, 9_007_199_254_740_991, 4.35, 100];

function anyValue(random: Random, depth: number): unknown {
  const text = () => `${random.pick(TEXTS)}${random.pick(TEXTS)}`;
  const kind = random.below(depth > 4 ? 4 : 6);
  if (kind === 0) return random.pick([true, false, null]);
  if (kind === 1) return random.pick(NUMBERS);
  if (kind < 4) return text();
  const values = Array.from({ length: random.below(6) }, () => anyValue(random, depth + 1));
  return kind === 4 ? values : Object.fromEntries(values.map((value) => [text(), value]));
}

for (const [what, body, licenseKey, requested] of [
  ['an object', { license_key: 'l', shipments: [{ b: 1, a: [2] }, 'x'], other: 1 }, undefined, undefined],
  ['a bare array', [{ b: 1, a: [2] }, 'x'], undefined, undefined],
  [
    'a bare array with its license in the query',
    [{ b: 1, a: [2] }, 'x'],
    'l',
    { license_key: 'l', shipments: [{ b: 1, a: [2] }, 'x'] },
  ],
] as const) {
  test(`POST /batches: ${what} keeps its fingerprint and its items`, (t) => {
    const read = readBatchBody(Buffer.from(JSON.stringify(body)), licenseKey);

    const license = (requested ?? body) === body && Array.isArray(body) ? {} : { license_key: 'l' };
    const sent = (item: unknown) => fingerprintOf({ method: 'POST', route: '/api/v2/shipments', body: item });
    const items = [
      { payload: '{"b":1,"a":[2]}', fingerprint: sent({ b: 1, a: [2], ...license }) },
      { payload: '"x"', fingerprint: sent('x') },
    ];
    t.deepEqual(read.value, Array.isArray(body) ? items : { license_key: 'l', shipments: items });
    t.is(
      read.fingerprint,
      fingerprintOf({ method: 'POST', route: '/api/v2/batches', body: requested ?? body }),
    );
  });
}

test('amounts get two places, rounded half away from zero', (t) => {
  const amounts = [1, '1.005', '-1.005', 0.1, '-0.001', '999999999999.994', 12.5].map(toDecimal);

  t.deepEqual(amounts, ['1.00', '1.01', '-1.01', '0.10', '0.00', '999999999999.99', '12.50']);
});

test('moments keep their microseconds and lose their zone', (t) => {
  t.is(toMoment('f', '2026-11-21T02:30:00.1234567+02:00', false), '2026-11-21T00:30:00.123456Z');
  t.is(toMoment('f', '2026-11-21', true), '2026-11-21T23:59:59.999999Z');
  t.is(toMoment('f', '2026-11-21 02:30:00.5+0200', false), '2026-11-21T00:30:00.500000Z');
  t.is(toMoment('f', '2026-11-21T02:30-0130[America/St_Johns]', false), '2026-11-21T04:00:00.000000Z');
  t.throws(() => toMoment('f', '2026-11-21T02:30:00', false));
  t.throws(() => toMoment('f', '2026-02-30T02:30:00+0200', false));
});
