import test from 'ava';
import { createAddressPolicy } from '../../src/outbound/addresses.js';
import { createGuardedClient } from '../../src/outbound/guarded-client.js';

test('webhooks: an address in a denied range is refused, public or allowed', async (t) => {
  const usual = createAddressPolicy([]);
  const own = createAddressPolicy(['10.0.0.0/8'], ['10.1.0.0/16', '203.0.114.0/24']);

  t.false(usual.permits('168.63.129.16'));
  t.false(usual.permits('::ffff:168.63.129.16'));
  t.true(usual.permits('168.63.129.17'));
  t.true(own.permits('10.2.0.1'));
  t.false(own.permits('10.1.0.1'));
  t.false(own.permits('203.0.114.1'));
});

test('webhooks: a port of another service is refused and never called, unless the operator allows the address', async (t) => {
  let looks = 0;
  const client = createGuardedClient({
    allowedRanges: ['127.0.0.0/8'],
    resolve: async () => {
      looks += 1;
      return [{ address: '93.184.216.34', family: 4 }];
    },
  });

  for (const port of [22, 25, 3306, 6379, 6667]) {
    const url = `http://shop.example:${port}/`;
    t.is(await client.refusal(url), 'port', url);
    const outcome = await client.post({ url, headers: {}, body: '{}', timeoutMs: 5000 });
    t.deepEqual(outcome, { kind: 'failed', status: null, error: 'The address is not public.' });
  }
  t.is(looks, 10);
  t.is(await client.refusal('http://93.184.216.34:25/'), 'port');
  t.is(await client.refusal('http://127.0.0.1:25/'), null);
  t.is(await client.refusal('http://shop.example:8080/'), null);
});
