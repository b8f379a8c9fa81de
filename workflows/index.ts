import type { Workflows } from '../src/contracts/workflows.js';
import { applyInbound } from './apply-inbound.js';
import { cancelShipment } from './cancel-shipment.js';
import { createShipment } from './create-shipment.js';
import { deliverWebhooks } from './deliver-webhooks.js';
import { exportShipments } from './export-shipments.js';
import { fetchCarrierLabel } from './fetch-carrier-label.js';
import { housekeeping } from './housekeeping.js';
import { notifyRecipients } from './notify-recipients.js';
import { pollCarrier } from './poll-carrier.js';
import { refreshPickupPoints } from './refresh-pickup-points.js';
import { renderLabels, renderLabelsTogether } from './render-labels.js';
import { resumeBatches } from './resume-batches.js';
import { runBatch } from './run-batch.js';
import { tellOperators } from './tell-operators.js';
import { wakeDeliveries } from './wake-deliveries.js';

const implemented = {
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
// Checks that every workflow is present and matches its contract.
void (implemented satisfies Workflows);

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
