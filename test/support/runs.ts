import type { Client, WorkflowHandle } from '@temporalio/client';
import { eventually } from './conditions.js';

/** What the UI shows of a run under Current Details, without the empty line at its end. */
export async function detailsOf(handle: WorkflowHandle): Promise<string> {
  const { currentDetails } = await handle.query<{ currentDetails?: string }>('__temporal_workflow_metadata');
  return (currentDetails ?? '').trim();
}

/** The search attributes of a run by name, one value each. */
export async function attributesOf(handle: WorkflowHandle): Promise<Record<string, unknown>> {
  const { typedSearchAttributes } = await handle.describe();
  return Object.fromEntries(typedSearchAttributes.getAll().map(({ key, value }) => [key.name, value]));
}

/** The summary that a run was started with. */
export async function summaryOf(handle: WorkflowHandle): Promise<string> {
  return (await (await handle.describe()).staticSummary()) ?? '';
}

/** Ids of the runs that a query finds, once it finds any. */
export async function found(client: Client, query: string): Promise<string[]> {
  return await eventually(async () => {
    const ids: string[] = [];
    for await (const { workflowId } of client.workflow.list({ query })) ids.push(workflowId);
    return ids.length > 0 && ids;
  }, `a run with ${query}`);
}
