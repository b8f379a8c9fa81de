import test from 'ava';
import { recipientSnapshot } from '../../../src/api/v2/shipments/command.js';

const RECIPIENT = {
  name: 'Dana Levi',
  phone: '0501234567',
  email: null,
  company: null,
  street: 'Dizengoff',
  number: '50',
  entrance: null,
  floor: null,
  apartment: null,
  city: 'Tel Aviv',
  state: null,
  zip: null,
  country: 'IL',
};

test('a name of two long parts is cut between characters, never inside one', (t) => {
  const shipping = { first_name: 'x'.repeat(249), last_name: '😀'.repeat(10) };

  const { name } = recipientSnapshot(RECIPIENT, shipping);

  t.is(name, `${'x'.repeat(249)} ${'😀'.repeat(5)}`);
});
