import type { Client } from '@temporalio/client';
import { SEARCH_ATTRIBUTES } from '../contracts/search-attributes.js';
import type { Workflows } from '../contracts/workflows.js';
import { isOpen } from './run-state.js';

/** A run as the engine's list has it. */
export interface RememberedRun {
  workflowId: string;
  isOpen: boolean;
  /** ISO 8601 UTC. */
  startedAt: string;
  accountId: number | null;
  shipmentUuid: string | null;
  batchUuid: string | null;
  bookingState: string | null;
}

const PAGE = 1000;

/** Every run of the type that the engine has not forgotten, open or closed, in pages. */
export async function* listRemembered(
  client: Client,
  workflowType: keyof Workflows,
): AsyncGenerator<RememberedRun[]> {
  let page: RememberedRun[] = [];
  const query = `WorkflowType = '${workflowType}'`;
  for await (const run of client.workflow.list({ query, pageSize: PAGE })) {
    const { workflowId, startTime, typedSearchAttributes: attributes } = run;
    const accountId = attributes.get(SEARCH_ATTRIBUTES.accountId);
    page.push({
      workflowId,
      isOpen: isOpen(run),
      startedAt: startTime.toISOString(),
      accountId: accountId === undefined ? null : Number(accountId),
      shipmentUuid: attributes.get(SEARCH_ATTRIBUTES.shipmentId) ?? null,
      batchUuid: attributes.get(SEARCH_ATTRIBUTES.batchId) ?? null,
      bookingState: attributes.get(SEARCH_ATTRIBUTES.bookingState) ?? null,
    });
    if (page.length < PAGE) continue;
    yield page;
    page = [];
  }
  yield page;
}
