import { type Client, type WorkflowExecutionInfo, WorkflowNotFoundError } from '@temporalio/client';

/** A paused run continues when an operator unpauses it. */
const OPEN: ReadonlySet<string> = new Set(['RUNNING', 'PAUSED']);

export function isOpen({ status }: Pick<WorkflowExecutionInfo, 'status'>): boolean {
  return OPEN.has(status.name);
}

export async function isWorkflowRunning(client: Client, workflowId: string): Promise<boolean> {
  return (await stateOfRun(client, workflowId)) === 'open';
}

/**
 * The newest run of a workflow id for what was written at `madeAt`, ISO 8601 UTC. `unknown`: the engine has none, as after
 * its store was lost, or only such as had closed by then, as after its store was restored.
 */
export async function stateOfRun(
  client: Client,
  workflowId: string,
  madeAt?: string,
): Promise<'open' | 'closed' | 'unknown'> {
  try {
    const run = await client.workflow.getHandle(workflowId).describe();
    if (isOpen(run)) return 'open';
    const { closeTime } = run;
    const isEarlier =
      madeAt !== undefined && closeTime !== undefined && closeTime.getTime() < Date.parse(madeAt);
    return isEarlier ? 'unknown' : 'closed';
  } catch (error) {
    if (error instanceof WorkflowNotFoundError) return 'unknown';
    throw error;
  }
}
