import type { Client } from '@temporalio/client';

const KEPT = { seconds: 86_400 } as never;

/** Registers the client's namespace, which ends with the test's server. */
export async function registerNamespace({ connection, options: { namespace } }: Client): Promise<void> {
  await connection.workflowService.registerNamespace({ namespace, workflowExecutionRetentionPeriod: KEPT });
}
