import {
  type Client,
  type WorkflowHandle,
  WorkflowNotFoundError,
  WorkflowUpdateFailedError,
} from '@temporalio/client';
import { ApplicationFailure } from '@temporalio/common';
import { type BookingDecision, NOT_WAITING, RESOLVE_BOOKING } from '../../src/contracts/create-shipment.js';
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

/**
 * Gives a run its decision, once it waits for one: it is flagged a moment before, and a run that was ended takes none
 * until another has taken its place. What comes before is done ahead of each try.
 */
export async function decide(
  client: Client,
  workflowId: string,
  decision: BookingDecision,
  before: () => Promise<unknown> = async () => undefined,
): Promise<string> {
  const { text } = await eventually(async () => {
    await before();
    return await client.workflow
      .getHandle(workflowId)
      .executeUpdate<string, [BookingDecision]>(RESOLVE_BOOKING, { args: [decision] })
      .then((text) => ({ text }), isTooEarly);
  }, `${workflowId} to wait for a decision`);
  return text;
}

/** For a run that has closed or does not wait yet; throws everything else. */
function isTooEarly(error: unknown): undefined {
  if (error instanceof WorkflowNotFoundError) return undefined;
  const cause = error instanceof WorkflowUpdateFailedError ? error.cause : undefined;
  if (cause instanceof ApplicationFailure && cause.type === NOT_WAITING) return undefined;
  throw error;
}
