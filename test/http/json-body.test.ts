import test from 'ava';
import { canonicalJson } from '../../src/api/canonical-json.js';
import { toMoment } from '../../src/api/v2/shipments/moment.js';
import { toDecimal } from '../../src/domain/decimal.js';
import { parseJson } from '../../src/http/json-body.js';

const VALID = [
  '{}',
  '[]',
  ' {"a" : [1, -0.5e2, "x\\u00e9\\n\\"", true, null, {"b":{}}]} ',
  '"\u2028"',
  '0',
  '9007199254740991',
  '"\\ud83d\\ude00"',
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
  '{"a":1,"a":1}',
  '{"__proto__":1}',
  '//',
  '"\\',
];
for (const text of INVALID) {
  test(`refuses ${JSON.stringify(text)}`, (t) => {
    t.throws(() => parseJson(Buffer.from(text)), { name: 'AppError', message: /./ });
  });
}

test('names where a text holds NUL or half of a pair', (t) => {
  const parsed = parseJson(Buffer.from('{"a":["\\u0000",{"b":"\\udc00"}]}'));

  t.deepEqual(parsed.unsafeTexts, ['a.0', 'a.1.b']);
});

test('canonical JSON sorts keys by code units at every level (RFC 8785)', (t) => {
  const text = canonicalJson({ '\u20ac': 1, '\r': 2, 1: [{ b: 1e21, a: 0.000001 }], ö: 'x\u000f' });

  t.is(text, '{"\\r":2,"1":[{"a":0.000001,"b":1e+21}],"ö":"x\\u000f","€":1}');
});

test('amounts get two places, rounded half away from zero', (t) => {
  const amounts = [1, '1.005', '-1.005', 0.1, '-0.001', '999999999999.994', 12.5].map(toDecimal);

  t.deepEqual(amounts, ['1.00', '1.01', '-1.01', '0.10', '0.00', '999999999999.99', '12.50']);
});

test('moments keep their microseconds and lose their zone', (t) => {
  t.is(toMoment('f', '2026-11-21T02:30:00.1234567+02:00', false), '2026-11-21T00:30:00.123456Z');
  t.is(toMoment('f', '2026-11-21', true), '2026-11-21T23:59:59.999999Z');
  t.throws(() => toMoment('f', '2026-11-21T02:30:00', false));
});
