import test from 'ava';
import { hashPassword, isPassword, NO_PASSWORD } from '../../../src/services/panel/proofs.js';

/** Version and parameters of a hash, and the lengths of its salt and digest: they decide how long a check takes. */
function costOf(hash: string): unknown {
  const [, kind, version, parameters, ...values] = hash.split('$');
  return [kind, version, parameters, ...values.map(({ length }) => length)];
}

test('a password is checked for as long where none is stored, and is never right', async (t) => {
  t.deepEqual(costOf(NO_PASSWORD), costOf(await hashPassword('correct horse')));
  t.false(await isPassword(null, 'correct horse'));
});
