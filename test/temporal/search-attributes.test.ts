import { randomBytes } from 'node:crypto';
import { Client, ServiceError } from '@temporalio/client';
import test from 'ava';
import { openTemporal } from '../../src/temporal/client.js';
import { ensureSearchAttributes } from '../../src/temporal/search-attributes.js';
import { registerNamespace } from '../support/namespace.js';
import { startStack, type TestStack } from '../support/stack.js';

let stack: TestStack;

test.before(async () => {
  stack = await startStack();
});
test.after.always(() => stack?.close());

/** A server that forbids changes of its namespaces. */
function withoutOperator(client: Client): Client {
  const denied = Object.assign(new ServiceError('no'), { cause: { code: 7 } });
  const connection = Object.create(client.connection, {
    operatorService: { value: { listSearchAttributes: () => Promise.reject(denied) } },
  });
  return new Client({ ...client.options, connection });
}

test('ensureSearchAttributes: a server without permission to add is fine if none is missing', async (t) => {
  t.deepEqual(await ensureSearchAttributes(withoutOperator(stack.temporal)), []);
});

test('ensureSearchAttributes: a server without permission to add fails, naming the missing ones', async (t) => {
  const temporalNamespace = `test-${randomBytes(6).toString('hex')}`;
  const bare = openTemporal({ ...stack.config, temporalNamespace });
  t.teardown(() => bare.connection.close());
  await registerNamespace(bare);

  const error = await t.throwsAsync(ensureSearchAttributes(withoutOperator(bare)));

  t.regex(
    error?.message ?? '',
    new RegExp(`${temporalNamespace} has no search attributes .*OrderId.*Keyword`),
  );
});
