import { type Client, WorkflowNotFoundError } from '@temporalio/client';

/** A paused run continues when an operator unpauses it. */
const OPEN: ReadonlySet<string> = new Set(['RUNNING', 'PAUSED']);

export async function isWorkflowRunning(client: Client, workflowId: string): Promise<boolean> {
  return (await stateOfRun(client, workflowId)) === 'open';
}

/** The newest run of a workflow id. `unknown`: the engine has none, as after its store was lost. */
export async function stateOfRun(client: Client, workflowId: string): Promise<'open' | 'closed' | 'unknown'> {
  try {
    const description = await client.workflow.getHandle(workflowId).describe();
    return OPEN.has(description.status.name) ? 'open' : 'closed';
  } catch (error) {
    if (error instanceof WorkflowNotFoundError) return 'unknown';
    throw error;
  }
}
