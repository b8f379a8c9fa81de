import { randomUUID } from 'node:crypto';
import test from 'ava';
import { trackingCodeOf } from '../../../src/carriers/independent/mapping.js';

test('trackingCodeOf: equal references have equal codes', (t) => {
  const reference = '7d6f8a3e-0000-4000-8000-000000000001';

  t.is(trackingCodeOf(reference), trackingCodeOf(reference));
});

test('trackingCodeOf: codes differ, fit a spreadsheet and a number of JSON, and have a valid check digit', (t) => {
  const codes = Array.from({ length: 20_000 }, () => trackingCodeOf(randomUUID()));

  t.is(new Set(codes).size, codes.length);
  t.true(codes.every(isRight));
  t.true(codes.every((code) => /^[1-9]\d{14}$/.test(code) && String(Number(code)) === code));
});

test('trackingCodeOf: the check digit detects any single wrong digit', (t) => {
  for (let round = 0; round < 50; round += 1) {
    const code = trackingCodeOf(randomUUID());
    for (let at = 0; at < code.length; at += 1) {
      const wrong = code[at] === '7' ? '8' : '7';

      t.false(isRight(code.slice(0, at) + wrong + code.slice(at + 1)));
    }
  }
});

/** Whether the code's Luhn checksum is valid. */
function isRight(code: string): boolean {
  const digits = Array.from(code, Number).toReversed();
  const counted = digits.map((digit, at) => (at % 2 === 0 ? digit : digit * 2 - (digit > 4 ? 9 : 0)));
  return counted.reduce((sum, digit) => sum + digit, 0) % 10 === 0;
}
