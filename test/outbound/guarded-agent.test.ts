import test from 'ava';
import { type Dispatcher, request } from 'undici';
import { createGuardedAgent } from '../../src/outbound/guarded-client.js';
import { forbiddenUrls } from '../support/forbidden-urls.js';
import { startReceiver } from '../support/receiver.js';

async function statusOf(url: string, dispatcher: Dispatcher): Promise<number> {
  const { statusCode, body } = await request(url, { dispatcher });
  await body.dump();
  return statusCode;
}

test('createGuardedAgent: dials an allowed address under the name looked up', async (t) => {
  const receiver = await startReceiver();
  t.teardown(() => receiver.close());
  const agent = createGuardedAgent({
    allowedRanges: ['127.0.0.0/8'],
    resolve: async () => [{ address: '127.0.0.1', family: 4 }],
  });
  t.teardown(() => agent.destroy());

  const status = await statusOf(`http://named.example.test:${receiver.port}/a`, agent);

  t.is(status, 200);
  t.is(receiver.requests[0]?.headers.host, `named.example.test:${receiver.port}`);
});

test('createGuardedAgent: dials no spelling of a private address', async (t) => {
  const canary = await startReceiver();
  t.teardown(() => canary.close());
  const agent = createGuardedAgent({ allowedRanges: [] });
  t.teardown(() => agent.destroy());

  for (const url of forbiddenUrls(canary.port)) await t.throwsAsync(statusOf(url, agent), undefined, url);

  t.is(canary.requests.length, 0);
});
