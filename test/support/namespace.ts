import type { Client } from '@temporalio/client';

const KEPT = { seconds: 86_400 } as never;

/** Registers the namespace of this client, one of a test's own: it goes with the test's server. */
export async function registerNamespace({ connection, options: { namespace } }: Client): Promise<void> {
  await connection.workflowService.registerNamespace({ namespace, workflowExecutionRetentionPeriod: KEPT });
}
