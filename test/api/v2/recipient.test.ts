import test from 'ava';
import { recipientSnapshot } from '../../../src/api/v2/shipments/command.js';
import { plainRecipient } from '../../support/shipments.js';

test('a name of two long parts is cut between characters, never inside one', (t) => {
  const shipping = { first_name: 'x'.repeat(249), last_name: '😀'.repeat(10) };

  const { name } = recipientSnapshot(plainRecipient(), shipping);

  t.is(name, `${'x'.repeat(249)} ${'😀'.repeat(5)}`);
});
