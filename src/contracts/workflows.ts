import type { BatchSummary } from '../domain/batch.js';
import type { OrderSnapshot } from '../domain/shipment.js';
import type { CancelShipmentInput, ParcelAtCarrier } from './cancel-shipment.js';
import type { CreateShipmentResult, Creation } from './create-shipment.js';
import type { SendDueResult } from './deliver-webhooks.js';
import type { ExportShipmentsInput } from './export-shipments.js';
import type { RefreshPickupPointsInput, RefreshTotals } from './refresh-pickup-points.js';
import type { RenderLabelsInput, RenderLabelsResult } from './render-labels.js';
import type { RunBatchInput } from './run-batch.js';
import type { PollCarrierInput, SweepInput } from './sweep.js';
import type { InboundRound, MailRound } from './wake.js';

/** Every workflow by type. `workflows/index.ts` implements these. */
export interface Workflows {
  /** Totals since the run was started or continued: events of carriers. */
  applyInbound: (input: { licenseId: number }) => Promise<InboundRound['counts']>;

  /** Fails with `CANCEL_REFUSED`. */
  cancelShipment: (input: CancelShipmentInput) => Promise<{ shipmentUuid: string }>;

  /**
   * The order, which may be large, is passed only to the reservation and, if it existed before, to the booking.
   * Returns the key's stored answer, or fails with one of `CREATE_FAILURES`.
   */
  createShipment: (creation: Creation, order: OrderSnapshot) => Promise<CreateShipmentResult>;

  /** Totals since the run was started or continued. */
  deliverWebhooks: (input: { subscriptionId: string }) => Promise<SendDueResult['counts']>;

  /** Rows written; none when the export had ended before the run began. Fails with one of `EXPORT_FAILURES`. */
  exportShipments: (input: ExportShipmentsInput) => Promise<{ rows: number }>;

  /** The uuid in the stored document's URL. Fails with one of `LABEL_FAILURES`. */
  fetchCarrierLabel: (input: ParcelAtCarrier) => Promise<{ documentUuid: string; bytes: number }>;

  /**
   * Totals of one sweep. `exports`: in flight without a run. `old`: rows and documents past their retention.
   * `recounted`: corrected counts of shipments.
   */
  housekeeping: () => Promise<Record<'expiredKeys' | 'orphans' | 'exports' | 'old' | 'recounted', number>>;

  /** Totals since the run was started or continued. */
  notifyRecipients: (input: { licenseId: number }) => Promise<MailRound['counts']>;

  /** Totals of one run. */
  pollCarrier: (input: PollCarrierInput) => Promise<{ checked: number; changed: number }>;

  /** Fails with `POINTS_REFUSED` or `POINTS_UNAVAILABLE`. */
  refreshPickupPoints: (input: RefreshPickupPointsInput) => Promise<RefreshTotals>;

  /** Fails with one of `LABEL_FAILURES`. */
  renderLabels: (input: RenderLabelsInput) => Promise<RenderLabelsResult>;

  /**
   * Prints several sets of one account in one run. Null for a set that was not printed; `renderLabels` has its
   * reason.
   */
  renderLabelsTogether: (
    inputs: readonly RenderLabelsInput[],
  ) => Promise<readonly (RenderLabelsResult | null)[]>;

  /** Returns how many runs were started. */
  resumeBatches: (input?: SweepInput) => Promise<number>;

  /** Ends when no item is pending. */
  runBatch: (input: RunBatchInput) => Promise<BatchSummary>;

  /** Returns how many messages were sent. */
  tellOperators: (input?: SweepInput) => Promise<number>;

  /** Number of workflows woken: repeatedly above 0 means that wakes get lost. */
  wakeDeliveries: (input?: SweepInput) => Promise<{ woken: number }>;
}
