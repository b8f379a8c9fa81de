import { randomUUID } from 'node:crypto';
import {
  CREATE_FAILURES,
  type CreateShipmentResult,
  type Creation,
} from '../../contracts/create-shipment.js';
import type { LicenseSummary } from '../../db/queries/accounts/accounts.js';
import { findKey, shipmentOfKey } from '../../db/queries/creation/idempotency.js';
import { notePendingAnswer } from '../../db/queries/creation/refusals.js';
import { findShipment } from '../../db/queries/shipments/shipments.js';
import { AppError, keyConflict, unavailable, validationError } from '../../domain/errors.js';
import { fieldErrorsOf, problem, quoted } from '../../domain/problems/problem.js';
import type { OrderSnapshot, ShipmentRecord } from '../../domain/shipment.js';
import { uuidV7 } from '../../lib/ids.js';
import { objectAt, valueAt } from '../../lib/json.js';
import { LIMITS } from '../../lib/limits/values.js';
import { creations } from '../../lib/metrics.js';
import { promptly } from '../../temporal/client.js';
import { isEngineTrouble, type RunOutcome, waitForRun } from '../../temporal/outcomes.js';
import { isWorkflowRunning } from '../../temporal/run-state.js';
import { creationIdOf, startCreateShipment } from '../../temporal/starters.js';
import type { App } from '../app.js';
import type { RecordedAnswers } from './recorded-answers.js';
import { restoreOfKey } from './restoring.js';

const UNAVAILABLE = 'The service cannot accept the request now. Retry it with the same key.';

/**
 * Nothing was reserved, since the batch of the creation is cancelled. A caller that joined the creation under the
 * same key may retry.
 */
export class StoppedWithBatch extends AppError {
  constructor() {
    super('service_unavailable', UNAVAILABLE);
  }
}

type KeyOwner = Parameters<typeof findKey>[1];

type CreatingApp = Pick<
  App<'createWaitMs'>,
  | 'db'
  | 'temporal'
  | 'config'
  | 'backlog'
  | 'answers'
  | 'stopping'
  | 'carriers'
  | 'wake'
  | 'onRestored'
  | 'lostLooks'
>;

/** A validated creation, built by `newCreation`. */
export interface CreateShipmentRequest {
  creation: Creation;
  order: OrderSnapshot;
  /** The merchant's name, for operators. */
  merchant: string;
}

/**
 * `answered`: status and body to send unchanged; `replayed` when the answer was stored before, `joined` when
 * another request did the work. `pending`: accepted, but the carrier has not answered yet.
 */
export type CreateShipmentOutcome =
  | {
      kind: 'answered';
      status: number;
      body: string;
      shipmentUuid: string;
      replayed: boolean;
      joined: boolean;
    }
  | { kind: 'pending'; shipment: ShipmentRecord };

/** Builds the creation of a validated request with its license. */
export function newCreation(
  license: LicenseSummary,
  request: Pick<Creation, 'accountId' | 'idempotency' | 'details' | 'recipient'> & { order: OrderSnapshot },
): Creation {
  const { accountId, idempotency, details, recipient, order } = request;
  return {
    shipmentUuid: uuidV7(),
    accountId,
    licenseId: license.id,
    carrier: license.carrier,
    idempotency,
    requestId: randomUUID(),
    multipleShipment: license.multipleShipment,
    details,
    ...(recipient === undefined ? {} : { recipient }),
    order: { id: order.id, number: order.number, externalId: order.externalId },
  };
}

/** Whether the shipment's notes exceed the carrier's, so that only the label has them in full. */
export function cutsNote(
  { carriers }: Pick<App, 'carriers'>,
  { carrier, details, order }: Pick<Creation, 'carrier' | 'details' | 'order'>,
): boolean {
  const { note, carrierNote = note, carrierOrderNumber = order.number } = details;
  const told = { orderNumber: carrierOrderNumber, shipment: { ...details, note: carrierNote } };
  return carriers(carrier.provider).cutsNote?.(told) ?? false;
}

/** {@link createOnce}, counted by what its caller gets. */
export async function createShipment(
  app: CreatingApp,
  request: CreateShipmentRequest,
): Promise<CreateShipmentOutcome> {
  const carrier = request.creation.carrier.provider;
  try {
    const created = await createOnce(app, request);
    creations.inc({ carrier, outcome: resultOf(created) });
    return created;
  } catch (error) {
    creations.inc({ carrier, outcome: failureOf(error) });
    throw error;
  }
}

function resultOf(created: CreateShipmentOutcome): string {
  if (created.kind === 'answered') return created.joined ? 'repeated' : 'created';
  return created.shipment.status.code === 'needs_attention' ? 'needs_attention' : 'pending';
}

/** `invalid`: refused before the carrier was asked. */
function failureOf(error: unknown): string {
  if (!(error instanceof AppError) || error.status >= 500) return 'failed';
  return error.code === 'carrier_rejected' ? 'refused' : 'invalid';
}

/**
 * Creates a shipment at most once per key. A finished creation is answered from MySQL, a running one is joined.
 * When it takes longer than the wait, or was ended from outside after the carrier was asked, the answer is
 * `pending`.
 */
async function createOnce(app: CreatingApp, request: CreateShipmentRequest): Promise<CreateShipmentOutcome> {
  const { accountId, idempotency } = request.creation;
  const { fingerprint } = idempotency;
  const owner = { accountId, ...idempotency };
  const known = await findKey(app.db, owner);
  if (known !== null && known.fingerprint !== fingerprint) throw keyConflict(shipmentOfKey(known));
  if (known !== null && known.status !== null && known.body !== null) {
    const { status, body, shipmentUuid } = known;
    return { kind: 'answered', status, body, shipmentUuid, replayed: true, joined: true };
  }

  const onStarted = known === null ? app.backlog?.enter(creationIdOf(request.creation)) : undefined;
  // When a creation is joined, its answer is for another shipment than this request proposes.
  const answers = known === null ? app.answers : undefined;
  const outcome = await runOf({ ...app, answers }, request, owner, onStarted);
  switch (outcome.kind) {
    case 'completed': {
      const { status, body, shipmentUuid, replayed, requestId } = outcome.result;
      if (outcome.result.fingerprint !== fingerprint) throw keyConflict(shipmentUuid);
      const joined = requestId !== request.creation.requestId;
      return { kind: 'answered', status, body, shipmentUuid, replayed, joined };
    }
    case 'failed':
      throw toAppError(outcome, fingerprint);
    case 'ended':
      return await pending(app, request.creation, owner);
    case 'running':
      return await pending(app, request.creation, owner, outcome.cause);
  }
}

/** Starts or joins the run and waits for it. Calls `onStarted` when the run begins or the wait ends. */
async function runOf(
  app: CreatingApp,
  request: CreateShipmentRequest,
  owner: KeyOwner,
  onStarted?: () => void,
): Promise<RunOutcome<CreateShipmentResult>> {
  try {
    const handle = await start(app, request);
    const wait = {
      timeoutMs: app.config.createWaitMs,
      stopping: app.stopping,
      sooner: soonerBy(app.answers, request.creation),
    };
    return await waitForRun(app.temporal, handle, wait, async () => {
      const shipment = await reservedShipment(app, owner);
      if (shipment !== null) onStarted?.();
      // A creation that needs an operator is answered as it is.
      return shipment?.status.code === 'needs_attention';
    });
  } finally {
    onStarted?.();
  }
}

/** Gets the result from the recorded answer, before the run ends. */
function soonerBy(answers: RecordedAnswers | undefined, { shipmentUuid, requestId, carrier }: Creation) {
  if (answers === undefined) return undefined;
  return async (signal: AbortSignal) => {
    const answer = await answers.wait(shipmentUuid, carrier.provider, signal);
    return { ...answer, replayed: false, requestId };
  };
}

/** @throws AppError `payload_too_large` */
export function refuseTooLarge({ creation, order }: Pick<CreateShipmentRequest, 'creation' | 'order'>): void {
  // Serializing may enlarge a body: 9e15 becomes sixteen digits.
  if (Buffer.byteLength(JSON.stringify([creation, order])) > LIMITS.creations.inputBytes) {
    throw new AppError('payload_too_large', problem('too_large_to_store'));
  }
}

async function start(app: CreatingApp, request: CreateShipmentRequest) {
  refuseTooLarge(request);
  return await askEngine(app, () =>
    startCreateShipment(app.temporal, request, (workflowId) => restoreOfKey(app, workflowId)),
  );
}

async function askEngine<R>({ temporal }: Pick<App, 'temporal'>, call: () => Promise<R>): Promise<R> {
  try {
    return await promptly(temporal, call);
  } catch (error) {
    if (isEngineTrouble(error)) throw unavailable(UNAVAILABLE, { cause: error });
    throw error;
  }
}

/** Whether the run of a creation is open. @throws AppError `service_unavailable` */
export async function isCreationRunning(app: Pick<App, 'temporal'>, workflowId: string): Promise<boolean> {
  return await askEngine(app, () => isWorkflowRunning(app.temporal, workflowId));
}

/** The creation's reserved shipment; null before a worker begins it. */
async function reservedShipment(app: CreatingApp, owner: KeyOwner): Promise<ShipmentRecord | null> {
  const key = await findKey(app.db, owner);
  if (key === null) return null;
  return await findShipment(app.db, { accountId: owner.accountId, uuid: key.shipmentUuid });
}

async function pending(
  app: CreatingApp,
  { idempotency: { api, fingerprint }, batchUuid }: Creation,
  owner: KeyOwner,
  cause?: Error,
): Promise<CreateShipmentOutcome> {
  const key = await findKey(app.db, owner);
  if (key === null) throw unavailable(UNAVAILABLE, { cause });
  if (key.fingerprint !== fingerprint) throw keyConflict(shipmentOfKey(key));
  if (key.status !== null && key.body !== null) {
    const { status, body, shipmentUuid } = key;
    return { kind: 'answered', status, body, shipmentUuid, replayed: false, joined: false };
  }
  // For v2's `shipment.refused` event. Noted before reading the shipment, so that no refusal is missed. Batches
  // report their items, and v1's callers poll.
  if (api === 'v2' && batchUuid === undefined) await notePendingAnswer(app.db, key.shipmentUuid);
  const shipment = await findShipment(app.db, { accountId: owner.accountId, uuid: key.shipmentUuid });
  if (shipment === null) throw unavailable(UNAVAILABLE);
  return { kind: 'pending', shipment };
}

/** @param text which shipment the order has */
export function duplicateOrder(text: string): AppError {
  return new AppError('duplicate_request', problem('order_has_shipment', { text }));
}

function toAppError(failed: { type: string; message: string; details: unknown }, fingerprint: string): Error {
  const isOurs = Object.values<string>(CREATE_FAILURES).includes(failed.type);
  if (!isOurs) return new Error(`createShipment failed with ${failed.type}`);
  if (valueAt(failed.details, 'fingerprint') !== fingerprint) return keyConflict();
  switch (failed.type) {
    case CREATE_FAILURES.keyConflict:
      return new AppError('idempotency_key_conflict', problem('key_conflict', { text: failed.message }));
    case CREATE_FAILURES.batchCancelled:
      return new StoppedWithBatch();
    case CREATE_FAILURES.duplicateOrder:
      return duplicateOrder(failed.message);
    case CREATE_FAILURES.carrierRejected:
    case CREATE_FAILURES.givenUp:
      return new AppError('carrier_rejected', quoted(failed.message));
    case CREATE_FAILURES.invalidShipment:
      return validationError(fieldErrorsOf(objectAt(failed.details, 'fields')));
    default:
      return new Error(`createShipment failed with ${failed.type}`);
  }
}
