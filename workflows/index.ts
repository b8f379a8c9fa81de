import { setWorkflowOptions, workflowInfo } from '@temporalio/workflow';
import { WORKER_DEPLOYMENT } from '../src/contracts/ids.js';
import type { Workflows } from '../src/contracts/workflows.js';
import { applyInbound } from './apply-inbound.js';
import { cancelShipment } from './cancel-shipment.js';
import { createShipment } from './create-shipment.js';
import { deliverWebhooks } from './deliver-webhooks.js';
import { exportShipments } from './export-shipments.js';
import { housekeeping } from './housekeeping.js';
import { fetchCarrierLabel, renderLabels, renderLabelsTogether } from './labels.js';
import { notifyRecipients } from './notify-recipients.js';
import { pollCarrier } from './poll-carrier.js';
import { refreshPickupPoints } from './refresh-pickup-points.js';
import { runBatch } from './run-batch.js';
import { resumeBatches, tellOperators, wakeDeliveries } from './sweeps.js';

/**
 * Runs that end soon stay with the build of the workers on which they began, so that another one need not replay them.
 */
const pinned = {
  cancelShipment,
  createShipment,
  exportShipments,
  fetchCarrierLabel,
  renderLabels,
  renderLabelsTogether,
};
/**
 * Runs that go round, or live as long as work waits, go over to the current build, which has to replay them. That is the
 * workers' default.
 */
const upgraded = {
  applyInbound,
  deliverWebhooks,
  housekeeping,
  notifyRecipients,
  pollCarrier,
  refreshPickupPoints,
  resumeBatches,
  runBatch,
  tellOperators,
  wakeDeliveries,
};
// Checks that every workflow is present and matches its contract.
void ({ ...pinned, ...upgraded } satisfies Workflows);

// The engine refuses a behavior from workers without a build.
for (const one of Object.values<(...input: never[]) => Promise<unknown>>(pinned)) {
  setWorkflowOptions(() => {
    const isOfBuild = workflowInfo().currentDeploymentVersion?.deploymentName === WORKER_DEPLOYMENT;
    return isOfBuild ? { versioningBehavior: 'PINNED' } : {};
  }, one);
}

export {
  applyInbound,
  cancelShipment,
  createShipment,
  deliverWebhooks,
  exportShipments,
  fetchCarrierLabel,
  housekeeping,
  notifyRecipients,
  pollCarrier,
  refreshPickupPoints,
  renderLabels,
  renderLabelsTogether,
  resumeBatches,
  runBatch,
  tellOperators,
  wakeDeliveries,
};
