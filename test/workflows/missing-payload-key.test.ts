import { randomBytes } from 'node:crypto';
import test from 'ava';
import { openTemporal } from '../../src/temporal/client.js';
import { ApiClient, shipmentBody } from '../support/api-client.js';
import { CleanUps } from '../support/clean-ups.js';
import { startStack, type TestStack } from '../support/stack.js';

const [old, next] = ['k7', 'k8'].map((id) => `${id}:${randomBytes(32).toString('base64')}`);
const owner = new CleanUps();
let stack: TestStack;
/** Of an API that has only the key with which it encrypts, while the workers answer with another. */
let api: ApiClient;

test.before(async () => {
  stack = await startStack({ env: { TEMPORAL_PAYLOAD_KEY: `${next},${old}` } });
  owner.teardown(() => stack.close());
  await stack.startWorkers();
  const keys = new Map([...(stack.config.payloadEncryption?.keys ?? [])].filter(([id]) => id === 'k7'));
  const lacking = openTemporal({ ...stack.config, payloadEncryption: { keys, clear: 'refuse' } });
  owner.teardown(() => lacking.connection.close());
  api = new ApiClient(await stack.startApi(undefined, {}, lacking), stack.account);
});
test.after.always(() => owner.end());

test.serial('an API without the key of a result answers what was recorded', async (t) => {
  const created = await api.create(shipmentBody(stack.account, 'run'));

  t.is(created.status, 201);
  t.truthy(created.body.data.tracking_code);
});

test.serial('an API without the key of a refusal answers 503', async (t) => {
  await stack.sandbox.fault({ operation: 'book', kind: 'error_in_200', value: 100 });

  const refused = await api.create(shipmentBody(stack.account, 'run'));

  t.is(refused.status, 503);
  t.truthy(refused.headers.get('retry-after'));
});
