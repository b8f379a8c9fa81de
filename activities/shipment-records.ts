import { ApplicationFailure, activityInfo } from '@temporalio/activity';
import type { WakeTarget } from '../src/contracts/deliveries.js';
import type {
  ApiVersion,
  CreateShipmentInput,
  CreationFacts,
  ReservedShipment,
  StoredAnswer,
} from '../src/contracts/shipments.js';
import { type Database, isUnavailable } from '../src/db/database.js';
import { recordCancellation } from '../src/db/queries/cancelling.js';
import { type Reservation, reserveShipment } from '../src/db/queries/creation.js';
import { markNeedsAttention, recordBooking, releaseShipment } from '../src/db/queries/recording.js';
import { pollDelaySeconds } from '../src/domain/polling.js';
import type { BookedParcel, ShipmentRecord } from '../src/domain/shipment.js';
import { statusName } from '../src/domain/statuses.js';
import { randomCrockford, uuidV7 } from '../src/lib/ids.js';
import { isoAfter, nowIso } from '../src/lib/time.js';

const SHORT_CODE_LENGTH = 10;

/** What the record-keeping activities are given. */
export interface RecordDeps {
  db: Database;
  /** Renders the first answer of a key; the bytes are stored and sent again on every replay. */
  renderAnswer(api: ApiVersion, shipment: ShipmentRecord): { status: number; body: string };
  /** Whether the carrier can be asked for statuses. */
  hasStatus(provider: string): boolean;
  /** Starts what delivers the events that were recorded; returns at once. */
  wake(targets: readonly WakeTarget[]): void;
}

/** Input of `record`: the reservation and the parcel that the carrier booked for it. */
export interface RecordInput {
  input: CreationFacts;
  shipment: ReservedShipment;
  parcel: BookedParcel;
  attempt: number;
}

export type ShipmentRecordActivities = ReturnType<typeof createShipmentRecordActivities>;

/** The MySQL steps of a shipment's workflows: short transactions that may be run again at any time. */
export function createShipmentRecordActivities(deps: RecordDeps) {
  const { db } = deps;
  return {
    /** Takes the key and inserts order and shipment, or finds what an earlier run inserted. */
    async reserve(input: CreateShipmentInput): Promise<Reservation> {
      try {
        return await reserveShipment(db, input, {
          uuid: uuidV7(),
          shortTrackingCode: randomCrockford(SHORT_CODE_LENGTH),
          workflowId: activityInfo().workflowExecution?.workflowId ?? '',
          createdAt: nowIso(),
        });
      } catch (error) {
        if (isUnavailable(error)) throw error;
        throw ApplicationFailure.nonRetryable('The reservation could not be written', 'ReservationFailed', {
          reason: error instanceof Error ? error.name : 'unknown',
        });
      }
    },

    /** Makes the booked parcel visible and stores the key's answer. */
    async record(args: RecordInput): Promise<StoredAnswer> {
      const recordedAt = nowIso();
      const description = args.parcel.description ?? statusName('created');
      const { api, fingerprint } = args.input.idempotency;
      const answer = deps.renderAnswer(api, recordedShipment(args, recordedAt, description));
      const recorded = await recordBooking(db, {
        accountId: args.input.accountId,
        licenseId: args.input.licenseId,
        shipment: args.shipment,
        parcel: args.parcel,
        attemptNumber: args.attempt,
        description,
        recordedAt,
        nextPollAt: deps.hasStatus(args.input.provider) ? isoAfter(pollDelaySeconds('created') ?? 0) : null,
        answer: { shipmentUuid: args.shipment.uuid, fingerprint, ...answer },
      });
      deps.wake(recorded.wake);
      return recorded.answer;
    },

    /** Frees the key of a reservation that was refused. */
    async release(args: { uuid: string; reason: string }): Promise<void> {
      await releaseShipment(db, args);
    },

    /** Shows that an operator must decide. */
    async flagNeedsAttention(args: { uuid: string; reason: string }): Promise<void> {
      await markNeedsAttention(db, { ...args, at: nowIso() });
    },

    /** Records a cancellation; false when another final status came first. */
    async recordCancelled(args: { uuid: string; text: string }): Promise<boolean> {
      const { cancelled, wake } = await recordCancellation(db, { ...args, at: nowIso() });
      deps.wake(wake);
      return cancelled;
    },
  };
}

function recordedShipment(args: RecordInput, recordedAt: string, description: string): ShipmentRecord {
  const { input, shipment, parcel } = args;
  const { details, order } = input;
  return {
    id: shipment.shipmentId,
    uuid: shipment.uuid,
    accountId: input.accountId,
    licenseId: input.licenseId,
    carrier: { id: input.carrierId, name: input.carrierName, provider: input.provider },
    state: 'created',
    trackingCode: parcel.trackingCode,
    shortTrackingCode: shipment.shortTrackingCode,
    status: { code: 'created', description, at: recordedAt },
    serviceType: details.serviceType,
    returnType: details.returnType,
    isActive: true,
    recipient: details.recipient,
    pickupPointId: details.pickupPointId,
    packages: details.packages,
    cod: details.cod,
    order: { internalId: shipment.orderInternalId, id: order.orderId, number: order.number },
    externalId: order.externalId,
    labelGenerated: false,
    collectionStatus: details.serviceType === 2 ? 'awaiting_collection' : null,
    collectedAt: null,
    readyAt: null,
    cancelledAt: null,
    deliveredAt: null,
    checkedAt: null,
    createdAt: shipment.createdAt,
    updatedAt: recordedAt,
  };
}
