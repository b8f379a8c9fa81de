import test from 'ava';
import { Type } from 'typebox';
import { FILLED_LINE_PATTERN } from '../../src/api/validation.js';
import { compileOnUse } from '../../src/lib/schema.js';

/** Takes a time that doubles with each character of a text that it refuses in the end. */
const EXPONENTIAL = '^(a+)+$';

test('a text beyond maxLength is not compared with a pattern', (t) => {
  const check = compileOnUse<string>(Type.String({ maxLength: 10, pattern: EXPONENTIAL }))();

  check(`${'a'.repeat(20)}!`);

  t.deepEqual(
    check.errors?.map(({ keyword }) => keyword),
    ['maxLength'],
  );
});

test('a text beyond maxLength is not compared with a format', (t) => {
  const check = compileOnUse<string>(Type.String({ maxLength: 10, format: 'email' }))();

  check('a'.repeat(100));

  t.deepEqual(
    check.errors?.map(({ keyword }) => keyword),
    ['maxLength'],
  );
});

test('a text within maxLength is compared, however many units its characters have', (t) => {
  const check = compileOnUse<string>(
    Type.String({ maxLength: 10, pattern: '^\\P{Lu}*$', format: 'email' }),
  )();

  const refused = [`${'😀'.repeat(9)}A`, 'nobody'].map((text) => {
    check(text);
    return check.errors?.map(({ keyword }) => keyword);
  });

  t.deepEqual(refused, [['pattern', 'format'], ['format']]);
});

/** The pattern in code. */
function isFilledLine(text: string): boolean {
  return text.trim() !== '' && !/\p{Cc}/u.test(text);
}

test('FILLED_LINE_PATTERN takes one line that is not blank', (t) => {
  const pattern = new RegExp(FILLED_LINE_PATTERN, 'u');
  const texts = [
    'a',
    ' a ',
    '\u00a0a',
    'a\n',
    '\ta',
    'a\u0085',
    '',
    ' ',
    '\u00a0\u2003',
    '\n',
    ' \u007f',
    '😀',
  ];

  t.deepEqual(
    texts.filter((text) => pattern.test(text)),
    texts.filter(isFilledLine),
  );
});
