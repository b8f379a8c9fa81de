import { createHash } from 'node:crypto';
import type { Client, WorkflowHandleWithStartDetails } from '@temporalio/client';
import type { FetchCarrierLabel, FetchCarrierLabelInput } from '../contracts/fetch-carrier-label.js';
import { workflowIds } from '../contracts/ids.js';
import { PRIORITIES } from '../contracts/priorities.js';
import type {
  LabelsAbout,
  RenderLabels,
  RenderLabelsInput,
  RenderLabelsTogether,
} from '../contracts/render-labels.js';
import { SEARCH_ATTRIBUTES } from '../contracts/search-attributes.js';
import { toSummary } from '../domain/run-summary.js';
import { LIMITS } from '../lib/limits/values.js';
import { attachOptions } from './start-options.js';

/** Starts printing, or attaches to the run of the same content. */
export async function startRenderLabels(
  client: Client,
  input: RenderLabelsInput,
): Promise<WorkflowHandleWithStartDetails<RenderLabels>> {
  const { accountId, shipmentUuid, labels, about } = input;
  return await client.workflow.start<RenderLabels>('renderLabels', {
    ...attachOptions(workflowIds.renderLabels(input.contentHash)),
    args: [input],
    priority: {
      ...(labels > LIMITS.labels.few ? PRIORITIES.bulk : PRIORITIES.interactive),
      fairnessKey: `account-${accountId}`,
    },
    staticSummary: toSummary(`Print ${labels === 1 ? 'a label' : `${labels} labels`}${whose(about)}`),
    typedSearchAttributes: [
      { key: SEARCH_ATTRIBUTES.accountId, value: String(accountId) },
      ...(shipmentUuid === null ? [] : [{ key: SEARCH_ATTRIBUTES.shipmentId, value: shipmentUuid }]),
      ...(about?.one ? [{ key: SEARCH_ATTRIBUTES.orderId, value: about.one.orderId }] : []),
    ],
  });
}

/** Starts printing several sets of an account, each as its own document. */
export async function startRenderLabelsTogether(
  client: Client,
  accountId: number,
  inputs: readonly RenderLabelsInput[],
): Promise<WorkflowHandleWithStartDetails<RenderLabelsTogether>> {
  const hash = createHash('sha256')
    .update(inputs.map(({ contentHash }) => contentHash).join())
    .digest('hex');
  return await client.workflow.start<RenderLabelsTogether>('renderLabelsTogether', {
    ...attachOptions(workflowIds.renderLabelsTogether(hash)),
    args: [inputs],
    priority: { ...PRIORITIES.interactive, fairnessKey: `account-${accountId}` },
    staticSummary: toSummary(
      `Print ${inputs.length} labels, asked for at once${ofMerchant(inputs[0]?.about)}`,
    ),
    typedSearchAttributes: [{ key: SEARCH_ATTRIBUTES.accountId, value: String(accountId) }],
  });
}

/** Starts fetching a carrier's label, or attaches to the run that does. */
export async function startFetchCarrierLabel(
  client: Client,
  input: FetchCarrierLabelInput,
  about: LabelsAbout,
): Promise<WorkflowHandleWithStartDetails<FetchCarrierLabel>> {
  return await client.workflow.start<FetchCarrierLabel>('fetchCarrierLabel', {
    ...attachOptions(workflowIds.fetchCarrierLabel(input.shipmentUuid)),
    args: [input],
    priority: { ...PRIORITIES.interactive, fairnessKey: `account-${input.accountId}` },
    staticSummary: toSummary(`Fetch a label${whose(about)}`),
    typedSearchAttributes: [
      { key: SEARCH_ATTRIBUTES.accountId, value: String(input.accountId) },
      { key: SEARCH_ATTRIBUTES.licenseId, value: String(input.licenseId) },
      { key: SEARCH_ATTRIBUTES.carrier, value: input.provider },
      { key: SEARCH_ATTRIBUTES.shipmentId, value: input.shipmentUuid },
      ...(about.one ? [{ key: SEARCH_ATTRIBUTES.orderId, value: about.one.orderId }] : []),
    ],
  });
}

function whose(about: LabelsAbout | undefined): string {
  const one = about?.one ?? null;
  return `${ofMerchant(about)}${one === null ? '' : ` with ${one.carrier}, order ${one.orderId}`}`;
}

function ofMerchant(about: LabelsAbout | undefined): string {
  return about === undefined ? '' : `, ${about.merchant}`;
}
