import { setTimeout as delay } from 'node:timers/promises';
import { type Client, WorkflowExecutionAlreadyStartedError } from '@temporalio/client';
import type { ExportShipments, ExportShipmentsInput } from '../contracts/export-shipments.js';
import { taskQueues, workflowIds } from '../contracts/ids.js';
import { PRIORITIES } from '../contracts/priorities.js';
import { SEARCH_ATTRIBUTES } from '../contracts/search-attributes.js';
import type { ExportFormat } from '../domain/exports.js';
import { type RunNames, summaryFor } from '../domain/run-summary.js';
import { isWorkflowRunning } from './starters.js';

/**
 * Starts an export's run. The license's id prevents a second one; a run that is closing is waited for. @throws
 * WorkflowExecutionAlreadyStartedError when one is running
 */
export async function startExportShipments(
  client: Client,
  args: { id: number; accountId: number; licenseId: number; format: ExportFormat },
  names: RunNames | null,
): Promise<void> {
  const { id, accountId, licenseId, format } = args;
  const input: ExportShipmentsInput = { exportId: id, accountId, licenseId };
  for (let attempt = 1; ; attempt++) {
    try {
      await client.workflow.start<ExportShipments>('exportShipments', {
        workflowId: workflowIds.exportShipments(licenseId),
        taskQueue: taskQueues.shipments,
        workflowIdConflictPolicy: 'FAIL',
        workflowIdReusePolicy: 'ALLOW_DUPLICATE',
        args: [input],
        priority: { ...PRIORITIES.bulk, fairnessKey: String(licenseId) },
        staticSummary: summaryFor(`Export ${id} as ${format}`, names),
        staticDetails:
          'Writes the shipments into a file in the document store, then mails it or a link to it to the account. ' +
          'Cancel it to stop it: the account may then ask for another one.',
        typedSearchAttributes: [
          { key: SEARCH_ATTRIBUTES.accountId, value: String(accountId) },
          { key: SEARCH_ATTRIBUTES.licenseId, value: String(licenseId) },
        ],
      });
      return;
    } catch (error) {
      if (!(error instanceof WorkflowExecutionAlreadyStartedError) || attempt >= 60) throw error;
    }
    await delay(50);
  }
}

export async function isExportRunning(client: Client, licenseId: number): Promise<boolean> {
  return await isWorkflowRunning(client, workflowIds.exportShipments(licenseId));
}
