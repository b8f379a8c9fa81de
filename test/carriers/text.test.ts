import test from 'ava';
import { carrierText, clean, cut, lengthOf, localPhone } from '../../src/carriers/text.js';
import { patient } from '../support/patience.js';

test('clean: separators, control characters and lone surrogates become single blanks', (t) => {
  t.is(clean('a,b&c|d', ',&|'), 'a b c d');
  t.is(clean('a\r\n\tb\u0000c\u2028d'), 'a b c d');
  t.is(clean('x\ud800y'), 'x y');
  t.is(clean('\u202Eevil\u202C'), 'evil');
  t.is(clean('  שלום   עולם '), 'שלום עולם');
});

test('clean: random text never keeps removed characters', (t) => {
  for (let round = 0; round < 500; round += 1) {
    const units = Array.from({ length: 40 }, () => Math.floor(Math.random() * (round % 2 ? 0x10000 : 0x80)));
    const plain = cut(clean(String.fromCharCode(...units), ',&|'), 12);

    t.notRegex(plain, /[\p{Cc}\p{Cs},&|]/u);
    t.true(lengthOf(plain) <= 12);
    t.notThrows(() => encodeURIComponent(plain));
  }
});

test('cut: counts characters and never splits one', (t) => {
  t.is(cut('👍👍👍', 2), '👍👍');
  t.is(cut('abc def', 4), 'abc');
  t.is(cut('abc', 3), 'abc');
});

test('localPhone: returns the local form', (t) => {
  const forms = ['+972-50-123-4567', '972501234567', '00972501234567', '050 123 4567', '+9720501234567'];

  for (const form of forms) t.is(localPhone(form), '0501234567', form);
  t.is(localPhone('+972 3 555 1234'), '035551234');
  t.is(localPhone('+1 (202) 555-0100'), '+12025550100');
  t.is(localPhone('call me'), '');
});

test('carrierText: one line of at most 200 characters', (t) => {
  t.is(carrierText(`a\nb${'x'.repeat(300)}`).length, 200);
  t.is(carrierText(`${' '.repeat(5000)}a${' '.repeat(1000)}b`), 'a b');
});

test('carrierText: takes little time for any text', (t) => {
  const marks = `a${'\u0300\u0316'.repeat(60_000)}`;
  const start = performance.now();

  const text = carrierText(marks);

  const spentMs = performance.now() - start;
  t.is(lengthOf(text), 200);
  t.true(spentMs < patient(500), `${spentMs} ms`);
});
