import { randomUUID } from 'node:crypto';
import type { Client, WorkflowHandleWithStartDetails } from '@temporalio/client';
import { WorkflowNotFoundError } from '@temporalio/client';
import type { CancelShipment, CancelShipmentInput } from '../contracts/cancel-shipment.js';
import type { CreateShipment, Creation, StoredCreation } from '../contracts/create-shipment.js';
import { workflowIds } from '../contracts/ids.js';
import { PRIORITIES } from '../contracts/priorities.js';
import type { RefreshPickupPoints } from '../contracts/refresh-pickup-points.js';
import { SEARCH_ATTRIBUTES } from '../contracts/search-attributes.js';
import { type RunNames, summaryFor, toSummary } from '../domain/run-summary.js';
import type { OrderSnapshot } from '../domain/shipment.js';
import { attachOptions, parcelAttributes } from './start-options.js';

/** Workflow id of a creation, the same for every request with its key. */
export function creationIdOf({
  accountId,
  licenseId,
  idempotency,
}: Pick<Creation, 'accountId' | 'licenseId' | 'idempotency'>): string {
  return idempotency.api === 'v1'
    ? workflowIds.createShipmentV1(licenseId, idempotency.keyHash)
    : workflowIds.createShipment(accountId, idempotency.keyHash);
}

/**
 * Starts a creation or attaches to the one under the same key, in one RPC. A closed run is started again and
 * finds the rows of the earlier one.
 */
export async function startCreateShipment(
  client: Client,
  { creation, order, merchant }: { creation: Creation; order: OrderSnapshot; merchant: string },
): Promise<WorkflowHandleWithStartDetails<CreateShipment>> {
  const { licenseId, batchUuid } = creation;
  return await client.workflow.start<CreateShipment>('createShipment', {
    ...attachOptions(creationIdOf(creation)),
    args: [creation, order],
    priority: {
      ...(batchUuid === undefined ? PRIORITIES.interactive : PRIORITIES.bulk),
      fairnessKey: String(licenseId),
    },
    staticSummary: summaryFor(`Create a shipment for order ${order.id}`, {
      merchant,
      carrier: creation.carrier.name,
    }),
    staticDetails: creationDetails(creation),
    typedSearchAttributes: [
      ...creationAttributes(creation),
      ...(batchUuid === undefined ? [] : [{ key: SEARCH_ATTRIBUTES.batchId, value: batchUuid }]),
    ],
  });
}

/**
 * Restarts a creation from its reservation's rows, or attaches to its run. It waits for an operator's decision
 * before asking the carrier.
 */
export async function restartCreateShipment(
  client: Client,
  { workflowId, creation, order }: StoredCreation,
): Promise<void> {
  await client.workflow.start('createShipment', {
    ...attachOptions(workflowId),
    args: [{ ...creation, requestId: randomUUID(), askFirst: true }, order],
    priority: { ...PRIORITIES.interactive, fairnessKey: String(creation.licenseId) },
    staticSummary: toSummary(
      `Continue a shipment with ${creation.carrier.name} for order ${creation.order.id}`,
    ),
    typedSearchAttributes: creationAttributes(creation),
  });
}

/** Starts a cancellation, or attaches to the running one. */
export async function startCancelShipment(
  client: Client,
  input: CancelShipmentInput,
): Promise<WorkflowHandleWithStartDetails<CancelShipment>> {
  return await client.workflow.start<CancelShipment>('cancelShipment', {
    ...attachOptions(workflowIds.cancelShipment(input.shipmentUuid)),
    args: [input],
    priority: PRIORITIES.interactive,
    staticSummary: toSummary(`Cancel ${input.trackingCode} with ${input.provider}, order ${input.orderId}`),
    typedSearchAttributes: [
      { key: SEARCH_ATTRIBUTES.accountId, value: String(input.accountId) },
      { key: SEARCH_ATTRIBUTES.licenseId, value: String(input.licenseId) },
      { key: SEARCH_ATTRIBUTES.carrier, value: input.provider },
      { key: SEARCH_ATTRIBUTES.trackingCode, value: input.trackingCode },
      ...parcelAttributes(input),
    ],
  });
}

/** Starts fetching a license's pickup points, or attaches to the run that does. */
export async function startRefreshPickupPoints(
  client: Pick<Client, 'workflow'>,
  input: { accountId: number; provider: string; licenseId: number; names: RunNames | null },
): Promise<WorkflowHandleWithStartDetails<RefreshPickupPoints>> {
  const { accountId, provider, licenseId, names } = input;
  return await client.workflow.start<RefreshPickupPoints>('refreshPickupPoints', {
    ...attachOptions(workflowIds.refreshPickupPoints(licenseId)),
    args: [{ provider, licenseId }],
    priority: PRIORITIES.interactive,
    staticSummary: summaryFor('Fetch pickup points', names),
    typedSearchAttributes: [
      { key: SEARCH_ATTRIBUTES.accountId, value: String(accountId) },
      { key: SEARCH_ATTRIBUTES.licenseId, value: String(licenseId) },
      { key: SEARCH_ATTRIBUTES.carrier, value: provider },
    ],
  });
}

/** A paused run continues when an operator unpauses it. */
const OPEN: ReadonlySet<string> = new Set(['RUNNING', 'PAUSED']);

export async function isWorkflowRunning(client: Client, workflowId: string): Promise<boolean> {
  try {
    const description = await client.workflow.getHandle(workflowId).describe();
    return OPEN.has(description.status.name);
  } catch (error) {
    if (error instanceof WorkflowNotFoundError) return false;
    throw error;
  }
}

function creationAttributes({
  accountId,
  licenseId,
  carrier,
  order,
  shipmentUuid,
}: Pick<Creation, 'accountId' | 'licenseId' | 'carrier' | 'order' | 'shipmentUuid'>) {
  return [
    { key: SEARCH_ATTRIBUTES.accountId, value: String(accountId) },
    { key: SEARCH_ATTRIBUTES.licenseId, value: String(licenseId) },
    { key: SEARCH_ATTRIBUTES.carrier, value: carrier.provider },
    { key: SEARCH_ATTRIBUTES.orderId, value: order.id },
    ...(shipmentUuid === undefined ? [] : [{ key: SEARCH_ATTRIBUTES.shipmentId, value: shipmentUuid }]),
  ];
}

function creationDetails({ details, order, carrier }: Creation): string {
  const service = details.serviceType === 1 ? 'Delivery' : 'Collection';
  return `${service} of ${details.packages} package(s), order **${order.id}**, carrier **${carrier.name}**.`;
}
