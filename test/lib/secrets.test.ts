import { randomBytes } from 'node:crypto';
import test from 'ava';
import { decryptBytes, encrypt } from '../../src/lib/secrets.js';

const key = randomBytes(32);

test('decryptBytes: opens what was sealed, and nothing that was changed or sealed with another key', (t) => {
  const sealed = encrypt('a carrier token', key);
  const changed = Buffer.from(sealed);
  changed[20] = (changed[20] ?? 0) ^ 1;

  t.is(decryptBytes(sealed, key).toString('utf8'), 'a carrier token');
  t.throws(() => decryptBytes(changed, key));
  t.throws(() => decryptBytes(sealed, randomBytes(32)));
});

test('decryptBytes: a tag that was cut short is refused, also of an empty text', (t) => {
  const sealed = encrypt('', key);

  t.is(decryptBytes(sealed, key).toString('utf8'), '');
  for (const length of [4, 8, 12, 13, 14, 15]) {
    t.throws(() => decryptBytes(sealed.subarray(0, 12 + length), key), undefined, `${length} bytes`);
  }
});
