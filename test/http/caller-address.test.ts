import test from 'ava';
import { callerAddress } from '../../src/http/middleware/caller-address.js';
import { type HttpStack, startHttp } from '../support/http.js';

let http: HttpStack;

test.before(async () => {
  http = await startHttp({
    config: {
      trustProxy: 1,
      authFailuresPerMinute: 3,
      v1RateLimitPerMinute: 3,
      pageRateLimitPerMinute: 3,
      rateLimitPerMinute: 3,
    },
  });
});
test.after.always(() => http?.close());

for (const [ip, expected] of [
  ['203.0.113.7', '203.0.113.7'],
  ['::ffff:203.0.113.7', '203.0.113.7'],
  ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2::/64'],
  ['2001:db8:1:2::9', '2001:db8:1:2::/64'],
  ['2001:db8:1:3::9', '2001:db8:1:3::/64'],
  ['fe80::1%eth0', 'fe80:0:0:0::/64'],
  ['203.0.113.7:53211', '203.0.113.7'],
  ['"203.0.113.7:53211"', '203.0.113.7'],
  ['[2001:db8:1:2::9]', '2001:db8:1:2::/64'],
  ['[2001:db8:1:2::9]:53211', '2001:db8:1:2::/64'],
  ['"[2001:DB8:1:2::9]:53211"', '2001:db8:1:2::/64'],
  ['[fe80::1%eth0]:53211', 'fe80:0:0:0::/64'],
  ['::ffff:cb00:7107', '203.0.113.7'],
  ['[::ffff:203.0.113.7]:53211', '203.0.113.7'],
  ['unknown', ''],
  ['_proxy-1', ''],
  ['203.0.113', ''],
  ['3405803783', ''],
  ['203.0.113.7.caller.example', ''],
  ['', ''],
  [undefined, ''],
] as const) {
  test(`${ip} counts as ${expected}`, (t) => {
    t.is(callerAddress({ ip }), expected);
  });
}

test('callers whose address cannot be read share one limit', async (t) => {
  const statuses: number[] = [];
  for (let count = 1; count <= 12; count++) {
    const headers = { 'x-forwarded-for': `_${count}`, accept: 'application/json' };
    statuses.push((await fetch(`${http.url}/track/0000000000`, { headers })).status);
  }

  t.true(statuses.includes(429), statuses.join());
});

for (const [index, [what, method, path]] of [
  ['v2', 'GET', '/api/v2/account'],
  ['v1', 'GET', '/api/shipping/user-by-license'],
  ['pages', 'GET', '/track/0000000000'],
  ['carriers', 'POST', '/carriers/run/nobody'],
].entries()) {
  test(`${what}: the addresses of a /64 share one limit, another has its own`, async (t) => {
    const from = async (address: string) => {
      const { status } = await fetch(`${http.url}${path}`, {
        method: method ?? '',
        headers: {
          'x-forwarded-for': address,
          'x-client-id': 'ck_nobody',
          'x-client-secret': 'sk_no',
          accept: 'application/json',
        },
      });
      return status;
    };
    const statuses: number[] = [];
    for (let host = 1; host <= 12; host++) statuses.push(await from(`2001:db8:0:${index}::${host}`));

    const elsewhere = await from(`2001:db8:1:${index}::1`);

    t.true(statuses.includes(429), statuses.join());
    t.not(elsewhere, 429);
  });
}
