import type { ApplyInbound } from './apply-inbound.js';
import type { CancelShipment } from './cancel-shipment.js';
import type { CreateShipment } from './create-shipment.js';
import type { DeliverWebhooks } from './deliver-webhooks.js';
import type { ExportShipments } from './export-shipments.js';
import type { FetchCarrierLabel } from './fetch-carrier-label.js';
import type { Housekeeping } from './housekeeping.js';
import type { NotifyRecipients } from './notify-recipients.js';
import type { PollCarrier } from './poll-carrier.js';
import type { RefreshPickupPoints } from './refresh-pickup-points.js';
import type { RenderLabels, RenderLabelsTogether } from './render-labels.js';
import type { ResumeBatches } from './resume-batches.js';
import type { RunBatch } from './run-batch.js';
import type { TellOperators } from './tell-operators.js';
import type { WakeDeliveries } from './wake-deliveries.js';

/** Every workflow by type. `workflows/index.ts` implements these. */
export interface Workflows {
  applyInbound: ApplyInbound;
  cancelShipment: CancelShipment;
  createShipment: CreateShipment;
  deliverWebhooks: DeliverWebhooks;
  exportShipments: ExportShipments;
  fetchCarrierLabel: FetchCarrierLabel;
  housekeeping: Housekeeping;
  notifyRecipients: NotifyRecipients;
  pollCarrier: PollCarrier;
  refreshPickupPoints: RefreshPickupPoints;
  renderLabels: RenderLabels;
  renderLabelsTogether: RenderLabelsTogether;
  resumeBatches: ResumeBatches;
  runBatch: RunBatch;
  tellOperators: TellOperators;
  wakeDeliveries: WakeDeliveries;
}
