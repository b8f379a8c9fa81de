import { randomBytes } from 'node:crypto';
import { Client, ServiceError } from '@temporalio/client';
import proto from '@temporalio/proto';
import test, { type ExecutionContext } from 'ava';
import { StartError } from '../../src/domain/errors.js';
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

const { INDEXED_VALUE_TYPE_KEYWORD: KEYWORD, INDEXED_VALUE_TYPE_TEXT: TEXT } =
  proto.temporal.api.enums.v1.IndexedValueType;

/** A namespace without our search attributes, but with others. */
async function sharedNamespace(t: ExecutionContext, searchAttributes: Record<string, number>) {
  const temporalNamespace = `test-${randomBytes(6).toString('hex')}`;
  const bare = openTemporal({ ...stack.config, temporalNamespace });
  t.teardown(() => bare.connection.close());
  await registerNamespace(bare);
  const { operatorService } = bare.connection;
  if (Object.keys(searchAttributes).length > 0)
    await operatorService.addSearchAttributes({ namespace: temporalNamespace, searchAttributes });
  return { bare, temporalNamespace };
}

test('ensureSearchAttributes: a server without permission to add fails, naming the missing ones', async (t) => {
  const { bare, temporalNamespace } = await sharedNamespace(t, {});

  const error = await t.throwsAsync(ensureSearchAttributes(withoutOperator(bare)), {
    instanceOf: StartError,
  });

  t.regex(
    error?.message ?? '',
    new RegExp(`${temporalNamespace} has no search attributes .*OrderId.*Keyword`),
  );
});

test('ensureSearchAttributes: an attribute of another type is named, and none is added', async (t) => {
  const { bare, temporalNamespace: namespace } = await sharedNamespace(t, { OrderId: TEXT });

  const error = await t.throwsAsync(ensureSearchAttributes(bare), { instanceOf: StartError });

  t.regex(error?.message ?? '', new RegExp(`^In the namespace ${namespace} .* OrderId, of a type`));
  const { customAttributes } = await bare.connection.operatorService.listSearchAttributes({ namespace });
  t.false('AccountId' in (customAttributes ?? {}));
});

test('ensureSearchAttributes: a namespace without room for them is named in one line', async (t) => {
  const { bare, temporalNamespace } = await sharedNamespace(t, {
    One: KEYWORD,
    Two: KEYWORD,
    Three: KEYWORD,
  });

  const error = await t.throwsAsync(ensureSearchAttributes(bare), { instanceOf: StartError });

  t.regex(
    error?.message ?? '',
    new RegExp(`^The namespace ${temporalNamespace} has no room .*AccountId[^\n]*$`),
  );
});
