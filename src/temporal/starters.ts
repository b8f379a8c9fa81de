import { createHash, randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import {
  type Client,
  WorkflowExecutionAlreadyStartedError,
  type WorkflowStartOptions,
} from '@temporalio/client';
import type { CancelShipmentInput, ParcelAtCarrier } from '../contracts/cancel-shipment.js';
import type { Creation, StoredCreation } from '../contracts/create-shipment.js';
import { taskQueues, workflowIds } from '../contracts/ids.js';
import { PRIORITIES } from '../contracts/priorities.js';
import type { LabelsAbout, RenderLabelsInput } from '../contracts/render-labels.js';
import { BATCH_WOKEN, type RunBatchInput } from '../contracts/run-batch.js';
import { attributesOf } from '../contracts/search-attributes.js';
import type { Workflows } from '../contracts/workflows.js';
import type { ExportFormat } from '../domain/exports.js';
import { type RunNames, summaryFor, toSummary } from '../domain/run-summary.js';
import type { OrderSnapshot } from '../domain/shipment.js';
import { LIMITS } from '../lib/limits/values.js';
import { isEngineTrouble } from './outcomes.js';

const BATCH_WAKE_MS = 3000;

/** A dead worker is noticed after this long. */
const WORKFLOW_TASK_TIMEOUT = '10s';

/**
 * Starts a run on the shipments' queue or attaches to the open one. `afterClosed`: whether a closed run is started
 * again, or refused with WorkflowExecutionAlreadyStartedError.
 */
function attachOptions(
  workflowId: string,
  afterClosed: 'ALLOW_DUPLICATE' | 'REJECT_DUPLICATE' = 'ALLOW_DUPLICATE',
) {
  return {
    workflowId,
    taskQueue: taskQueues.shipments,
    workflowIdConflictPolicy: 'USE_EXISTING',
    workflowIdReusePolicy: afterClosed,
    workflowTaskTimeout: WORKFLOW_TASK_TIMEOUT,
  } as const satisfies Partial<WorkflowStartOptions>;
}

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
 * Starts a creation or attaches to the one under the same key, in one RPC. Where a run of the key has closed, `recall`
 * is called first, since the database may have lost what that run made; then it is started again and finds its rows.
 */
export async function startCreateShipment(
  client: Client,
  args: { creation: Creation; order: OrderSnapshot; merchant: string },
  recall: (workflowId: string) => Promise<unknown>,
) {
  try {
    return await startCreation(client, args, 'REJECT_DUPLICATE');
  } catch (error) {
    if (!(error instanceof WorkflowExecutionAlreadyStartedError)) throw error;
  }
  await recall(creationIdOf(args.creation));
  return await startCreation(client, args, 'ALLOW_DUPLICATE');
}

async function startCreation(
  client: Client,
  { creation, order, merchant }: Parameters<typeof startCreateShipment>[1],
  afterClosed: 'ALLOW_DUPLICATE' | 'REJECT_DUPLICATE',
) {
  const { batchUuid, details, carrier } = creation;
  const service = details.serviceType === 1 ? 'Delivery' : 'Collection';
  return await client.workflow.start<Workflows['createShipment']>('createShipment', {
    ...attachOptions(creationIdOf(creation), afterClosed),
    args: [creation, order],
    priority: {
      ...(batchUuid === undefined ? PRIORITIES.interactive : PRIORITIES.bulk),
      fairnessKey: String(creation.licenseId),
    },
    staticSummary: summaryFor(`Create a shipment for order ${order.id}`, { merchant, carrier: carrier.name }),
    staticDetails: `${service} of ${details.packages} package(s), order **${creation.order.id}**, carrier **${carrier.name}**.`,
    typedSearchAttributes: creationAttributes(creation, batchUuid),
  });
}

/**
 * Restarts a creation from its reservation's rows, or attaches to its run. `asksFirst`: it waits for an operator's
 * decision before it asks the carrier.
 */
export async function restartCreateShipment(
  client: Client,
  { workflowId, creation, order }: StoredCreation,
  asksFirst: boolean,
): Promise<void> {
  await client.workflow.start('createShipment', {
    ...attachOptions(workflowId),
    args: [{ ...creation, requestId: randomUUID(), ...(asksFirst ? { askFirst: true } : {}) }, order],
    priority: { ...PRIORITIES.interactive, fairnessKey: String(creation.licenseId) },
    staticSummary: toSummary(
      `Continue a shipment with ${creation.carrier.name} for order ${creation.order.id}`,
    ),
    typedSearchAttributes: creationAttributes(creation),
  });
}

function creationAttributes(creation: Omit<StoredCreation['creation'], 'details'>, batchId?: string) {
  const { accountId, licenseId, shipmentUuid: shipmentId } = creation;
  const { provider: carrier } = creation.carrier;
  return attributesOf({ accountId, licenseId, carrier, orderId: creation.order.id, shipmentId, batchId });
}

/** Starts a cancellation, or attaches to the running one. */
export async function startCancelShipment(client: Client, input: CancelShipmentInput) {
  const { accountId, licenseId, provider, orderId, shipmentUuid, trackingCode } = input;
  return await client.workflow.start<Workflows['cancelShipment']>('cancelShipment', {
    ...attachOptions(workflowIds.cancelShipment(shipmentUuid)),
    args: [input],
    priority: PRIORITIES.interactive,
    staticSummary: toSummary(`Cancel ${trackingCode} with ${provider}, order ${orderId}`),
    typedSearchAttributes: attributesOf({
      accountId,
      licenseId,
      carrier: provider,
      trackingCode,
      orderId,
      shipmentId: shipmentUuid,
    }),
  });
}

/** Starts fetching a license's pickup points, or attaches to the run that does. */
export async function startRefreshPickupPoints(
  client: Pick<Client, 'workflow'>,
  input: { accountId: number; provider: string; licenseId: number; names: RunNames | null },
) {
  const { accountId, provider, licenseId, names } = input;
  return await client.workflow.start<Workflows['refreshPickupPoints']>('refreshPickupPoints', {
    ...attachOptions(workflowIds.refreshPickupPoints(licenseId)),
    args: [{ provider, licenseId }],
    priority: PRIORITIES.interactive,
    staticSummary: summaryFor('Fetch pickup points', names),
    typedSearchAttributes: attributesOf({ accountId, licenseId, carrier: provider }),
  });
}

/** Starts printing, or attaches to the run of the same content. */
export async function startRenderLabels(client: Client, input: RenderLabelsInput) {
  const { accountId, shipmentUuid, labels, about } = input;
  return await client.workflow.start<Workflows['renderLabels']>('renderLabels', {
    ...attachOptions(workflowIds.renderLabels(input.contentHash)),
    args: [input],
    priority: {
      ...(labels > LIMITS.labels.few ? PRIORITIES.bulk : PRIORITIES.interactive),
      fairnessKey: `account-${accountId}`,
    },
    staticSummary: toSummary(`Print ${labels === 1 ? 'a label' : `${labels} labels`}${whose(about)}`),
    typedSearchAttributes: attributesOf({
      accountId,
      shipmentId: shipmentUuid,
      orderId: about?.one?.orderId,
    }),
  });
}

/** Starts printing several sets of an account, each as its own document. */
export async function startRenderLabelsTogether(
  client: Client,
  accountId: number,
  inputs: readonly RenderLabelsInput[],
) {
  const hash = createHash('sha256')
    .update(inputs.map(({ contentHash }) => contentHash).join())
    .digest('hex');
  return await client.workflow.start<Workflows['renderLabelsTogether']>('renderLabelsTogether', {
    ...attachOptions(workflowIds.renderLabelsTogether(hash)),
    args: [inputs],
    priority: { ...PRIORITIES.interactive, fairnessKey: `account-${accountId}` },
    staticSummary: toSummary(
      `Print ${inputs.length} labels, asked for at once${ofMerchant(inputs[0]?.about)}`,
    ),
    typedSearchAttributes: attributesOf({ accountId }),
  });
}

/** Starts fetching a carrier's label, or attaches to the run that does. */
export async function startFetchCarrierLabel(client: Client, input: ParcelAtCarrier, about: LabelsAbout) {
  const { accountId, licenseId, provider, shipmentUuid } = input;
  return await client.workflow.start<Workflows['fetchCarrierLabel']>('fetchCarrierLabel', {
    ...attachOptions(workflowIds.fetchCarrierLabel(shipmentUuid)),
    args: [input],
    priority: { ...PRIORITIES.interactive, fairnessKey: `account-${accountId}` },
    staticSummary: toSummary(`Fetch a label${whose(about)}`),
    typedSearchAttributes: attributesOf({
      accountId,
      licenseId,
      carrier: provider,
      shipmentId: shipmentUuid,
      orderId: about.one?.orderId,
    }),
  });
}

function whose(about: LabelsAbout | undefined): string {
  const one = about?.one ?? null;
  return `${ofMerchant(about)}${one === null ? '' : ` with ${one.carrier}, order ${one.orderId}`}`;
}

function ofMerchant(about: LabelsAbout | undefined): string {
  return about === undefined ? '' : `, ${about.merchant}`;
}

/**
 * Starts an export's run. Its id prevents a second one; a run that is closing is waited for. @throws
 * WorkflowExecutionAlreadyStartedError when one is running
 */
export async function startExportShipments(
  client: Client,
  args: { id: number; accountId: number; licenseId: number | null; format: ExportFormat },
  names: RunNames | null,
): Promise<void> {
  const { id, accountId, licenseId, format } = args;
  const what =
    licenseId === null ? `Export ${id} over all licenses as ${format}` : `Export ${id} as ${format}`;
  for (let attempt = 1; ; attempt++) {
    try {
      await client.workflow.start<Workflows['exportShipments']>('exportShipments', {
        workflowId: workflowIds.exportShipments({ accountId, licenseId }),
        taskQueue: taskQueues.shipments,
        workflowIdConflictPolicy: 'FAIL',
        workflowIdReusePolicy: 'ALLOW_DUPLICATE',
        args: [{ exportId: id, accountId, licenseId }],
        priority: {
          ...PRIORITIES.bulk,
          fairnessKey: licenseId === null ? `account-${accountId}` : String(licenseId),
        },
        staticSummary: summaryFor(what, names),
        staticDetails:
          'Writes the shipments into a file in the document store, then mails it or a link to it to the account. ' +
          'Cancel it to stop it: the account may then ask for another one.',
        typedSearchAttributes: attributesOf({ accountId, licenseId: licenseId ?? undefined }),
      });
      return;
    } catch (error) {
      if (!(error instanceof WorkflowExecutionAlreadyStartedError) || attempt >= 60) throw error;
    }
    await delay(50);
  }
}

/**
 * Starts a batch's run or signals the open one, in one RPC. The signal makes a run that is about to end check
 * again.
 */
export async function wakeBatch(client: Client, input: RunBatchInput, names: RunNames | null): Promise<void> {
  const { accountId, licenseId, batchUuid, total } = input;
  await client.workflow.signalWithStart<Workflows['runBatch'], []>('runBatch', {
    workflowId: workflowIds.runBatch(batchUuid),
    taskQueue: taskQueues.shipments,
    workflowIdReusePolicy: 'ALLOW_DUPLICATE',
    workflowTaskTimeout: WORKFLOW_TASK_TIMEOUT,
    args: [input],
    signal: BATCH_WOKEN,
    signalArgs: [],
    priority: { ...PRIORITIES.bulk, fairnessKey: String(licenseId) },
    staticSummary: summaryFor(`Create ${total} shipments of a batch`, names),
    staticDetails:
      'Works through the items in chunks. Each item is a run of `createShipment` with this BatchId, the same run that ' +
      '`POST /shipments` would start for it. Cancelling this run fails what has not been started.',
    typedSearchAttributes: attributesOf({ accountId, licenseId, batchId: batchUuid }),
  });
}

/** {@link wakeBatch}; when the engine is unavailable, the sweep starts the run later. */
export async function tryWakeBatch(
  client: Client,
  input: RunBatchInput,
  names: RunNames | null,
): Promise<void> {
  try {
    await client.withDeadline(Date.now() + BATCH_WAKE_MS, () => wakeBatch(client, input, names));
  } catch (error) {
    if (!isEngineTrouble(error)) throw error;
  }
}
