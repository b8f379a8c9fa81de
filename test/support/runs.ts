import {
  type Client,
  type WorkflowHandle,
  WorkflowNotFoundError,
  WorkflowUpdateFailedError,
} from '@temporalio/client';
import { ApplicationFailure } from '@temporalio/common';
import { type BookingDecision, NOT_WAITING, RESOLVE_BOOKING } from '../../src/contracts/create-shipment.js';
import { eventually } from './conditions.js';

/** A run's Current Details, without the final empty line. */
export async function detailsOf(handle: WorkflowHandle): Promise<string> {
  const { currentDetails } = await handle.query<{ currentDetails?: string }>('__temporal_workflow_metadata');
  return (currentDetails ?? '').trim();
}

/** A run's search attributes by name, one value each. */
export async function attributesOf(handle: WorkflowHandle): Promise<Record<string, unknown>> {
  const { typedSearchAttributes } = await handle.describe();
  return Object.fromEntries(typedSearchAttributes.getAll().map(({ key, value }) => [key.name, value]));
}

/** A run's summary. */
export async function summaryOf(handle: WorkflowHandle): Promise<string> {
  return (await (await handle.describe()).staticSummary()) ?? '';
}

/** Ids of the runs that a query finds, once there are any. */
export async function found(client: Client, query: string): Promise<string[]> {
  return await eventually(async () => {
    const ids: string[] = [];
    for await (const { workflowId } of client.workflow.list({ query })) ids.push(workflowId);
    return ids.length > 0 && ids;
  }, `a run with ${query}`);
}

/** A decision about the first call unless it names another. */
type LooseDecision = BookingDecision | { action: 'retry' } | { action: 'give_up'; reason: string };

/**
 * Sends a decision to a run as soon as it waits for one: it is flagged slightly earlier, and an ended run must
 * first be replaced. `before` runs ahead of each try.
 */
export async function decide(
  client: Client,
  workflowId: string,
  decision: LooseDecision,
  before: () => Promise<unknown> = async () => undefined,
): Promise<string> {
  const { text } = await eventually(async () => {
    await before();
    return await client.workflow
      .getHandle(workflowId)
      .executeUpdate<string, [BookingDecision]>(RESOLVE_BOOKING, { args: [aboutFirst(decision)] })
      .then((text) => ({ text }), isTooEarly);
  }, `${workflowId} to wait for a decision`);
  return text;
}

/** The decision with the number of the call that it is about. */
function aboutFirst(decision: LooseDecision): BookingDecision {
  return decision.action === 'adopt' ? decision : { attempt: 1, ...decision };
}

/** Undefined for a closed run or one that does not wait yet; throws anything else. */
function isTooEarly(error: unknown): undefined {
  if (error instanceof WorkflowNotFoundError) return undefined;
  const cause = error instanceof WorkflowUpdateFailedError ? error.cause : undefined;
  if (cause instanceof ApplicationFailure && cause.type === NOT_WAITING) return undefined;
  throw error;
}
