import test from 'ava';
import { loggedText } from '../../../src/http/v1/dialect.js';

test('credentials and names are left out at any depth, and nothing else', (t) => {
  const body = {
    token: 'a"\\',
    data: [{ key: 'k', keys: 'b' }, { license_key: null, text: '"key":"c"' }, { receiver: 'Dana Levi' }],
  };

  const kept = loggedText(JSON.stringify(body));

  t.deepEqual(JSON.parse(kept), {
    token: '[left out]',
    data: [
      { key: '[left out]', keys: 'b' },
      { license_key: null, text: '"key":"c"' },
      { receiver: '[left out]' },
    ],
  });
});

test('of a long answer the beginning is kept, also where a credential is cut', (t) => {
  const texts = ['x'.repeat(119_990), 'x'.repeat(119_980)];

  const kept = texts.map((text) => loggedText(JSON.stringify({ text, key: 'secret\\secret'.repeat(10) })));

  for (const text of kept) t.false(text.includes('secret'));
  t.true((kept[0] ?? '').length <= 120_020);
});
