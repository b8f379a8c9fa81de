import {
  type Client,
  isGrpcServiceError,
  type WorkflowExecutionInfo,
  WorkflowNotFoundError,
} from '@temporalio/client';
import type { Payload } from '@temporalio/common';
import {
  decodeFromPayloadsAtIndex,
  decodeOptionalFailureToOptionalError,
} from '@temporalio/common/lib/internal-non-workflow/index.js';
import type proto from '@temporalio/proto';
import type { CancelShipmentInput } from '../contracts/cancel-shipment.js';
import {
  type BookResult,
  type CreateShipmentResult,
  type Creation,
  REFUSALS,
  type Reservation,
  type StoredAnswer,
} from '../contracts/create-shipment.js';
import { workflowIds } from '../contracts/ids.js';
import { SEARCH_ATTRIBUTES } from '../contracts/search-attributes.js';
import type { RefusalCode } from '../domain/events.js';
import { type BookedParcel, type OrderSnapshot, parcelOfCode } from '../domain/shipment.js';
import { stringAt } from '../lib/json.js';
import { GRPC } from './outcomes.js';

type HistoryEvent = proto.temporal.api.history.v1.IHistoryEvent;

/** A creation's run, by its ids. */
export interface CreationRun {
  workflowId: string;
  runId: string;
}

/** The engine's memory of a creation that made a reservation. */
export interface PastCreation extends CreationRun {
  isOpen: boolean;
  /** Whether the run waits, or waited at its end, for a person. */
  asksPerson: boolean;
  /** ISO 8601 UTC; null while the run is open. */
  endedAt: string | null;
  /** With license and carrier of the reservation. */
  creation: Creation;
  order: OrderSnapshot;
  /** The identity that the reservation had. */
  shipment: { uuid: string; shortTrackingCode: string; createdAt: string };
  /** The newest call to the carrier, which may still be under way; null where nothing was sent. */
  call: { attempt: number; parcel: BookedParcel | null } | null;
  /**
   * `booked`: with the key's answer. `refused`: there is no parcel, for this reason. `unclaimed`: there is one that was
   * given up.
   */
  outcome:
    | { kind: 'booked'; answer: StoredAnswer }
    | { kind: 'refused'; code: RefusalCode; reason: string }
    | { kind: 'unclaimed' }
    | { kind: 'unknown' };
}

/** Runs of one shipment or key that are looked at: restarts and repeats of the first. */
const RUNS_LOOKED_AT = 10;

/** The newest run of the workflow id, whatever became of it, with the shipment that it names; null where there is none. */
export async function findLatestRun(
  client: Client,
  workflowId: string,
): Promise<(CreationRun & { shipmentUuid: string | null }) | null> {
  try {
    const { runId, typedSearchAttributes } = await client.workflow.getHandle(workflowId).describe();
    return {
      workflowId,
      runId,
      shipmentUuid: typedSearchAttributes.get(SEARCH_ATTRIBUTES.shipmentId) ?? null,
    };
  } catch (error) {
    if (error instanceof WorkflowNotFoundError) return null;
    throw error;
  }
}

/** The newest run with a reservation of the shipment, in this account where one is named; null where there is none. */
export async function findCreationOf(
  client: Client,
  { uuid, accountId }: { uuid: string; accountId?: number | undefined },
): Promise<PastCreation | null> {
  const ofAccount = accountId === undefined ? '' : ` AND AccountId = '${accountId}'`;
  return await newestReserving(client, `ShipmentId = '${uuid}'${ofAccount}`);
}

/** {@link findCreationOf} by the workflow id, which is the key's. */
export async function findCreationOfId(client: Client, workflowId: string): Promise<PastCreation | null> {
  return await newestReserving(client, `WorkflowId = '${workflowId}'`);
}

async function newestReserving(client: Client, condition: string): Promise<PastCreation | null> {
  const runs: WorkflowExecutionInfo[] = [];
  const query = `WorkflowType = 'createShipment' AND ${condition}`;
  for await (const run of client.workflow.list({ query, pageSize: RUNS_LOOKED_AT })) {
    runs.push(run);
    if (runs.length === RUNS_LOOKED_AT) break;
  }
  runs.sort((one, other) => other.startTime.getTime() - one.startTime.getTime());
  for (const run of runs) {
    const past = await readCreation(client, run);
    if (past !== null) return past;
  }
  return null;
}

/** Reads a run's history; null for a run that reserved nothing, and for one that is gone. */
export async function readCreation(
  client: Client,
  { workflowId, runId }: CreationRun,
): Promise<PastCreation | null> {
  const reader = new HistoryReader(client, workflowId);
  try {
    const { events } = await client.workflow.getHandle(workflowId, runId).fetchHistory();
    for (const event of events ?? []) await reader.read(event);
  } catch (error) {
    if (isGone(error)) return null;
    throw error;
  }
  return reader.past({ workflowId, runId });
}

/**
 * The carrier's words when it cancelled the shipment, even if that could not be recorded, and why it was asked; null
 * where it did not.
 */
export async function findCancellation(
  client: Client,
  shipmentUuid: string,
): Promise<{ text: string; reason: string | null } | null> {
  const workflowId = workflowIds.cancelShipment(shipmentUuid);
  const value = payloadReader(client, workflowId);
  try {
    const { events } = await client.workflow.getHandle(workflowId).fetchHistory();
    let reason: string | null = null;
    for (const event of events ?? []) {
      const input = event.workflowExecutionStartedEventAttributes?.input?.payloads;
      if (input) ({ reason } = await value<CancelShipmentInput>(input, 0));
      const answer = event.activityTaskCompletedEventAttributes?.result?.payloads;
      const said = answer ? await value<{ kind: string; text: string }>(answer, 0) : null;
      if (said?.kind === 'done') return { text: said.text, reason };
    }
    return null;
  } catch (error) {
    if (isGone(error)) return null;
    throw error;
  }
}

/** Histories are read without the client's own errors. */
function isGone(error: unknown): boolean {
  return isGrpcServiceError(error) && error.code === GRPC.notFound;
}

/** Decodes payloads as those of a run, which a key ring binds them to. */
function payloadReader(client: Client, workflowId: string) {
  const { namespace, loadedDataConverter } = client.options;
  const context = { type: 'workflow', namespace, workflowId } as const;
  return async <T>(payloads: Payload[], index: number): Promise<T> =>
    await decodeFromPayloadsAtIndex<T>(loadedDataConverter, index, payloads, context);
}

/** The same for what a run has failed with. */
function failureReader(client: Client, workflowId: string) {
  const { namespace, loadedDataConverter } = client.options;
  const context = { type: 'workflow', namespace, workflowId } as const;
  return async (failure: proto.temporal.api.failure.v1.IFailure | null | undefined): Promise<string> =>
    (await decodeOptionalFailureToOptionalError(loadedDataConverter, failure, context))?.message ?? '';
}

/** Failures of a creation whose parcel does not exist, as refusals. */
const WITHOUT_PARCEL: ReadonlyMap<unknown, RefusalCode> = new Map(Object.entries(REFUSALS));
/** Failure of a creation whose parcel was booked after it was given up. */
const UNCLAIMED_PARCEL = 'UnclaimedParcel';

/** Collects a creation from the events of its run, in their order. Payloads are decoded as the run's own. */
class HistoryReader {
  readonly #value: ReturnType<typeof payloadReader>;
  readonly #words: ReturnType<typeof failureReader>;
  #input: { creation: Creation; order: OrderSnapshot } | null = null;
  #reserved: Extract<Reservation, { kind: 'reserved' | 'issued' }>['shipment'] | null = null;
  #bookings = new Set<string>();
  #call: PastCreation['call'] = null;
  #code: string | null = null;
  #asksPerson = false;
  #end: Pick<PastCreation, 'outcome' | 'endedAt'> | null = null;

  constructor(client: Client, workflowId: string) {
    this.#value = payloadReader(client, workflowId);
    this.#words = failureReader(client, workflowId);
  }

  past(run: CreationRun): PastCreation | null {
    const [input, reserved, end] = [this.#input, this.#reserved, this.#end];
    if (input === null || reserved === null) return null;
    const { licenseId, carrier, uuid, shortTrackingCode, createdAt } = reserved;
    const { askFirst: _ended, ...creation } = { ...input.creation, licenseId, carrier };
    return {
      ...run,
      isOpen: end === null,
      asksPerson: this.#asksPerson,
      endedAt: end?.endedAt ?? null,
      creation,
      order: input.order,
      shipment: { uuid, shortTrackingCode, createdAt },
      call: this.#withCode(),
      outcome: end?.outcome ?? { kind: 'unknown' },
    };
  }

  /** An operator, or a late try, may have named another parcel than the last call did. */
  #withCode(): PastCreation['call'] {
    const code = this.#code;
    if (code === null || this.#call?.parcel?.trackingCode === code) return this.#call;
    return { attempt: Math.max(this.#call?.attempt ?? 0, 1), parcel: parcelOfCode(code) };
  }

  async read(event: HistoryEvent): Promise<void> {
    const started = event.workflowExecutionStartedEventAttributes?.input?.payloads;
    if (started)
      this.#input = { creation: await this.#value(started, 0), order: await this.#value(started, 1) };
    await this.#readStep(event);
    this.#readAttributes(event);
    const outcome = await this.#outcomeOf(event);
    if (outcome !== null) this.#end = { outcome, endedAt: momentOf(event) };
  }

  #readAttributes(event: HistoryEvent): void {
    const attributes = event.upsertWorkflowSearchAttributesEventAttributes?.searchAttributes?.indexedFields;
    const given = ({ name }: { name: string }): unknown => {
      const data = attributes?.[name]?.data;
      return data && JSON.parse(Buffer.from(data).toString() || 'null');
    };
    const code = given(SEARCH_ATTRIBUTES.trackingCode);
    if (code) this.#code = String(code);
    const state = given(SEARCH_ATTRIBUTES.bookingState);
    if (state !== undefined) this.#asksPerson = state === 'needs_attention';
  }

  async #readStep(event: HistoryEvent): Promise<void> {
    const marker = event.markerRecordedEventAttributes?.details;
    // The engine's own notes are never encrypted.
    const step: unknown = JSON.parse(Buffer.from(marker?.data?.payloads?.[0]?.data ?? 'null').toString());
    if (stringAt(step, 'activity_type') === 'reserve' && marker?.result?.payloads) {
      const reservation = await this.#value<Reservation>(marker.result.payloads, 0);
      if (reservation.kind === 'reserved' || reservation.kind === 'issued') {
        this.#reserved = reservation.shipment;
      }
      if (reservation.kind === 'issued') this.#call = { attempt: 1, parcel: reservation.parcel };
    }
    const scheduled = event.activityTaskScheduledEventAttributes;
    if (scheduled?.activityType?.name === 'book') {
      this.#bookings.add(String(event.eventId));
      this.#call = { attempt: (this.#call?.attempt ?? 0) + 1, parcel: null };
    }
    const done = event.activityTaskCompletedEventAttributes;
    if (!done?.result?.payloads || !this.#bookings.has(String(done.scheduledEventId))) return;
    const result = await this.#value<BookResult>(done.result.payloads, 0);
    if (result.kind === 'accepted') this.#call = { attempt: result.attempt, parcel: result.parcel };
    if (result.kind === 'unknown') this.#call = { attempt: Math.max(result.attempt, 1), parcel: null };
  }

  async #outcomeOf(event: HistoryEvent): Promise<PastCreation['outcome'] | null> {
    const completed = event.workflowExecutionCompletedEventAttributes?.result?.payloads;
    if (completed) {
      const {
        requestId: _run,
        replayed: _earlier,
        ...answer
      } = await this.#value<CreateShipmentResult>(completed, 0);
      return { kind: 'booked', answer };
    }
    const failure = event.workflowExecutionFailedEventAttributes?.failure;
    const failed = failure?.applicationFailureInfo?.type;
    if (failed === UNCLAIMED_PARCEL) return { kind: 'unclaimed' };
    const code = WITHOUT_PARCEL.get(failed);
    if (code !== undefined) return { kind: 'refused', code, reason: await this.#words(failure) };
    return ENDS.some((end) => event[end]) ? { kind: 'unknown' } : null;
  }
}

const ENDS = [
  'workflowExecutionFailedEventAttributes',
  'workflowExecutionTerminatedEventAttributes',
  'workflowExecutionCanceledEventAttributes',
  'workflowExecutionTimedOutEventAttributes',
] as const;

function momentOf({ eventTime }: HistoryEvent): string {
  return new Date(Number(eventTime?.seconds ?? 0) * 1000).toISOString();
}
