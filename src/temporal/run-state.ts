import { type Client, type WorkflowExecutionInfo, WorkflowNotFoundError } from '@temporalio/client';

/** A paused run continues when an operator unpauses it. */
const OPEN: ReadonlySet<string> = new Set(['RUNNING', 'PAUSED']);

export function isOpen({ status }: Pick<WorkflowExecutionInfo, 'status'>): boolean {
  return OPEN.has(status.name);
}

export async function isWorkflowRunning(client: Client, workflowId: string): Promise<boolean> {
  return (await stateOfRun(client, workflowId)) === 'open';
}

/** When something was written, ISO 8601 UTC: `first`, before its run started, or by the run. */
interface Written {
  at: string;
  first?: boolean;
}

/**
 * The newest run of a workflow id for what was written. `unknown`: the engine has none, as after its store was lost, or
 * only one that is for something earlier, as after its store was restored.
 */
export async function stateOfRun(
  client: Client,
  workflowId: string,
  written?: Written,
): Promise<'open' | 'closed' | 'unknown'> {
  try {
    const run = await client.workflow.getHandle(workflowId).describe();
    if (isOpen(run)) return 'open';
    return written !== undefined && isEarlier(run, written) ? 'unknown' : 'closed';
  } catch (error) {
    if (error instanceof WorkflowNotFoundError) return 'unknown';
    throw error;
  }
}

function isEarlier(
  { startTime, closeTime }: Pick<WorkflowExecutionInfo, 'startTime' | 'closeTime'>,
  { at, first = false }: Written,
): boolean {
  const time = first ? startTime : closeTime;
  return time !== undefined && time.getTime() < Date.parse(at);
}
