import test from 'ava';
import { createAddressPolicy } from '../../src/outbound/addresses.js';
import { createGuardedClient, type GuardedClient } from '../../src/outbound/guarded-client.js';
import { eventually } from '../support/conditions.js';
import { forbiddenUrls, malformedUrls } from '../support/forbidden-urls.js';
import { patient } from '../support/patience.js';
import { type Receiver, startReceiver } from '../support/receiver.js';

const LOOPBACK = ['127.0.0.0/8', '::1/128'];
let receiver: Receiver;
let canary: Receiver;
const open = createGuardedClient({ allowedRanges: LOOPBACK });
const strict = createGuardedClient({ allowedRanges: [] });

test.before(async () => {
  receiver = await startReceiver();
  canary = await startReceiver();
});
test.beforeEach(() => receiver.behave({ kind: 'answer', status: 200, body: 'ok' }));
test.after.always(async () => {
  await receiver?.close();
  await canary?.close();
});

function post(client: GuardedClient, url: string, timeoutMs = patient(1500)) {
  return client.post({ url, headers: { 'x-test': '1' }, body: '{"a":1}', timeoutMs });
}

test('refuses every spelling of a private address, when checking and when calling', async (t) => {
  for (const url of forbiddenUrls(canary.port)) {
    const refusal = await strict.refusal(url);
    const outcome = await post(strict, url);

    t.is(refusal, 'address', url);
    t.is(outcome.kind, 'failed', url);
    t.true(outcome.kind === 'failed' && outcome.status === null, url);
  }
  t.is(canary.requests.length, 0);
});

test('refuses anything but plain http URLs', async (t) => {
  for (const url of malformedUrls(canary.port)) {
    t.truthy(await strict.refusal(url), url);
    t.is((await post(strict, url)).kind, 'failed', url);
  }
  t.is(await strict.refusal('https://93.184.216.34/hook'), null);
  t.is(await strict.refusal('https://[2606:2800:220:1::1]/hook'), null);
  t.is(await strict.refusal('https://does-not-exist.invalid/hook'), null);
  t.is(await strict.refusal(`https://93.184.216.34/${'a'.repeat(2048)}`), 'malformed');
});

test('allows exactly the allowed range', (t) => {
  const policy = createAddressPolicy(['10.1.0.0/16', 'fd00::/8']);

  t.true(policy.permits('10.1.2.3'));
  t.true(policy.permits('::ffff:10.1.2.3'));
  t.true(policy.permits('fd12::1'));
  t.true(policy.permits('8.8.8.8'));
  t.false(policy.permits('10.2.0.1'));
  t.false(policy.permits('127.0.0.1'));
  t.false(policy.permits('fc00::1'));
  t.false(policy.permits('no address'));
  t.throws(() => createAddressPolicy(['10.0.0.0']));
});

test('refuses a name with one private among public addresses', async (t) => {
  const client = createGuardedClient({
    allowedRanges: [],
    resolve: async () => [
      { address: '93.184.216.34', family: 4 },
      { address: '127.0.0.1', family: 4 },
    ],
  });
  const url = `http://mixed.example.test:${canary.port}/`;

  t.is(await client.refusal(url), 'address');
  const outcome = await post(client, url);

  t.deepEqual(outcome, { kind: 'failed', status: null, error: 'The address is not public.' });
  t.is(canary.requests.length, 0);
});

test('refuses a name that turned private after the check', async (t) => {
  let looks = 0;
  const client = createGuardedClient({
    allowedRanges: [],
    resolve: async () => {
      looks += 1;
      return [{ address: looks === 1 ? '93.184.216.34' : '127.0.0.1', family: 4 }];
    },
  });
  const url = `http://rebinding.example.test:${canary.port}/`;

  const first = await client.refusal(url);
  const outcome = await post(client, url);

  t.is(first, null);
  t.deepEqual(outcome, { kind: 'failed', status: null, error: 'The address is not public.' });
  t.is(looks, 2);
  t.is(canary.requests.length, 0);
});

test('dials the checked address: the name is looked up once', async (t) => {
  let looks = 0;
  const client = createGuardedClient({
    allowedRanges: LOOPBACK,
    resolve: async () => {
      looks += 1;
      return [{ address: '127.0.0.1', family: 4 }];
    },
  });

  const outcome = await post(client, `http://named.example.test:${receiver.port}/a?b=c`);

  t.deepEqual(outcome, { kind: 'answered', status: 200, body: 'ok' });
  t.is(looks, 1);
  const got = receiver.requests.find((one) => one.path === '/a?b=c');
  t.is(got?.body, '{"a":1}');
  t.is(got?.headers.host, `named.example.test:${receiver.port}`);
  t.is(got?.headers['x-test'], '1');
});

test.serial('returns a redirect without following it', async (t) => {
  receiver.behave({ kind: 'redirect', to: `${canary.url}/secret` });

  const outcome = await post(open, receiver.url);

  t.like(outcome, { kind: 'answered', status: 302 });
  t.is(canary.requests.length, 0);
});

test.serial('one timeout covers the whole exchange, for silent and dripping receivers', async (t) => {
  for (const kind of ['hang', 'drip'] as const) {
    receiver.behave({ kind });
    const at = Date.now();

    const outcome = await post(open, receiver.url, 400);

    t.like(outcome, { kind: 'failed', error: 'No complete answer within 0.4 seconds.' });
    t.true(Date.now() - at < patient(1500));
    await eventually(() => receiver.open() === 0, 'the end of the connection');
  }
});

test.serial('a gigabyte and a gzip bomb cost 16 KiB', async (t) => {
  receiver.behave({ kind: 'endless' });
  const before = process.memoryUsage().rss;

  const endless = await post(open, receiver.url);
  receiver.behave({ kind: 'bomb' });
  const bomb = await post(open, receiver.url);

  t.true(endless.kind === 'answered' && endless.body.length === 16_384);
  t.true(bomb.kind === 'answered' && bomb.body.length === 16_384);
  t.true(receiver.written() < 64 << 20, `${receiver.written()} bytes were taken`);
  t.true(process.memoryUsage().rss - before < 100 << 20);
  await eventually(() => receiver.open() === 0, 'the end of the connections');
});

test.serial('an incomplete answer is a failure with the reason', async (t) => {
  receiver.behave({ kind: 'reset' });
  const reset = await post(open, receiver.url);
  receiver.behave({ kind: 'truncate' });
  const truncated = await post(open, receiver.url);
  const refused = await post(open, 'http://127.0.0.1:1/');
  const unknown = await post(open, 'http://does-not-exist.invalid/');

  t.like(reset, { kind: 'failed', status: null, error: 'The connection was reset.' });
  t.like(truncated, { kind: 'failed', status: 200 });
  t.like(refused, { kind: 'failed', error: 'The connection was refused.' });
  t.like(unknown, { kind: 'failed', error: 'The host name does not resolve.' });
});

test.serial('the caller can abort a request', async (t) => {
  receiver.behave({ kind: 'hang' });
  const controller = new AbortController();
  const running = open.post({
    url: receiver.url,
    headers: {},
    body: '',
    timeoutMs: 10_000,
    signal: controller.signal,
  });
  await eventually(() => receiver.open() > 0, 'the request');

  controller.abort();

  t.deepEqual(await running, { kind: 'aborted' });
});
