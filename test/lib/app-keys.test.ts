import { randomBytes } from 'node:crypto';
import test from 'ava';
import { AppKeys, keyIdOf, UnreadableSecret } from '../../src/lib/app-keys.js';

const KEYS = { k1: randomBytes(32), k2: randomBytes(32) };

function ringOf(...ids: (keyof typeof KEYS)[]): AppKeys {
  return new AppKeys(new Map(ids.map((id) => [id, KEYS[id]])));
}

test('AppKeys: the first key seals, each opens, and what is sealed names its key', (t) => {
  const old = ringOf('k1', 'k2').seal('webhook secret', 'whsec_1');
  const turned = ringOf('k2', 'k1');

  const renewed = turned.renew('webhook secret', old);

  t.deepEqual([keyIdOf(old), keyIdOf(renewed)], ['k1', 'k2']);
  t.is(turned.openText('webhook secret', old), 'whsec_1');
  t.is(ringOf('k2').openText('webhook secret', renewed), 'whsec_1');
  t.is(turned.renew('webhook secret', renewed), renewed);
});

test('AppKeys: what was sealed for one purpose opens for no other, and under no other key', (t) => {
  const sealed = ringOf('k1').seal('totp secret', 'JBSWY3DP');
  const changed = Buffer.from(sealed);
  changed[10] = (changed[10] ?? 0) ^ 1;

  const missing = t.throws(() => ringOf('k2').open('totp secret', sealed), { instanceOf: UnreadableSecret });
  t.is(missing?.message, 'APP_KEY: the key k1, which sealed this totp secret, is missing; it has k2.');
  t.true(missing?.isKeyMissing);
  for (const [ring, purpose, value] of [
    [ringOf('k1'), 'webhook secret', sealed],
    [new AppKeys(new Map([['k1', KEYS.k2]])), 'totp secret', sealed],
    [ringOf('k1'), 'totp secret', changed],
  ] as const) {
    const error = t.throws(() => ring.open(purpose, value), { instanceOf: UnreadableSecret });
    t.regex(String(error?.message), /^APP_KEY: its key k1 is not the one of that id that sealed this/);
    t.false(error?.isKeyMissing);
  }
});

test('AppKeys: a text is found by its hash under each key, and the first one is stored', (t) => {
  const stored = ringOf('k1').hashes('session', 'token')[0];

  const hashes = ringOf('k2', 'k1').hashes('session', 'token');

  t.deepEqual(hashes.map(keyIdOf), ['k2', 'k1']);
  t.true(hashes[1]?.equals(stored));
  t.false(ringOf('k1').hashes('invitation', 'token')[0].equals(stored));
});
