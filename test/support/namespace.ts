import type { Client } from '@temporalio/client';

const KEPT = { seconds: 86_400 } as never;
const DELETED = 3;

/** Registers the client's namespace, which ends with the test's server. */
export async function registerNamespace({ connection, options: { namespace } }: Client): Promise<void> {
  await connection.workflowService.registerNamespace({ namespace, workflowExecutionRetentionPeriod: KEPT });
}

/** Ends the client's namespace: for each one that is there the server keeps a worker, which costs it more than a test. */
export async function endNamespace({ connection, options: { namespace } }: Client): Promise<void> {
  await connection.workflowService.updateNamespace({ namespace, updateInfo: { state: DELETED } });
}
