import test from 'ava';
import { adviceFor } from '../../src/config/advice.js';

test('a proxy that nobody trusts is pointed out', (t) => {
  const [advice, ...others] = adviceFor({ baseUrl: 'https://parcels.test', trustProxy: 0 });

  t.regex(advice ?? '', /TRUST_PROXY is 0: all callers count as one address/);
  t.deepEqual(others, []);
  t.deepEqual(adviceFor({ baseUrl: 'https://parcels.test', trustProxy: 1 }), []);
  t.deepEqual(adviceFor({ baseUrl: 'http://127.0.0.1:3000', trustProxy: 0 }), []);
});
