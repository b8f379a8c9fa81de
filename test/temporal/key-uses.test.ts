import { randomUUID } from 'node:crypto';
import { Client } from '@temporalio/client';
import test from 'ava';
import { findKeyUses } from '../../src/temporal/key-uses.js';
import { startStack, type TestStack } from '../support/stack.js';

let stack: TestStack;

test.before(async () => {
  stack = await startStack();
});
test.after.always(() => stack?.close());

/** A client whose list of runs has this one as open, as after a restore of what the engine lists by. */
function listing(client: Client, run: { workflowId: string; runId: string }): Client {
  const workflow = Object.create(client.workflow, {
    list: {
      value: async function* () {
        yield run;
      },
    },
  });
  return Object.create(client, { workflow: { value: workflow } });
}

test('findKeyUses: a run that has ended needs no key, though it is listed as open', async (t) => {
  const { temporal } = stack;
  const workflowId = `listed-${randomUUID()}`;
  const { firstExecutionRunId: runId } = await temporal.workflow.start('nobodyRunsThis', {
    taskQueue: 'nobody',
    workflowId,
    args: [{ name: 'Dana' }],
  });
  const client = listing(temporal, { workflowId, runId });
  const examplesOf = async () => [...(await findKeyUses(client)).values()].map(({ example }) => example);

  const whileOpen = await examplesOf();
  await temporal.workflow.getHandle(workflowId).terminate();
  const ended = await examplesOf();

  t.deepEqual(whileOpen, [workflowId]);
  t.deepEqual(ended, []);
});
