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
