import { activityInfo, cancellationSignal } from '@temporalio/activity';
import type { CallContext, CarrierAdapter, Outcome, ParcelRef } from '../src/carriers/contract.js';
import { isAnswer } from '../src/carriers/outcomes.js';
import type { ParcelAtCarrier } from '../src/contracts/cancel-shipment.js';
import { findParcel } from '../src/db/queries/creation/cancelling.js';
import { problem } from '../src/domain/problems/problem.js';
import { SETTINGS_UNREADABLE } from '../src/services/carriers/carrier-accounts.js';
import { restoreNamed } from '../src/services/creation/restoring.js';
import type { CarrierApp } from './carrier-slots.js';
import { withHeartbeat } from './heartbeat.js';
import { retry } from './next-try.js';
import { CREDENTIALS_REFUSED, readableAccount } from './readable-account.js';

/**
 * `done`: the carrier will not deliver the parcel. `unsure`: an earlier call may have cancelled it, and the carrier does
 * not say. `text` is for people.
 */
type Cancelling = { kind: 'done' | 'refused' | 'unsure'; text: string };

/** Details of a heartbeat: a call went out, and its answer has not come. */
const SENT = 'sent';

/**
 * Cancels a parcel with the carrier. A refusal because it was already cancelled counts as done: an earlier
 * answer got lost. After such a call a refusal proves nothing, unless the carrier says how the parcel stands.
 */
export function createCancelActivity(app: CarrierApp) {
  const ask = async (input: ParcelAtCarrier, beat: (details: unknown) => void): Promise<Cancelling> => {
    const wasSentBefore = activityInfo().heartbeatDetails === SENT;
    if (wasSentBefore) beat(SENT);
    const found = (await findParcel(app.db, input)) ?? (await findLost(app, input));
    if (found === null) return { kind: 'refused', text: 'The shipment is not booked.' };
    const adapter = app.carriers(input.provider);
    if (found.status === 'cancelled') return { kind: 'done', text: 'Cancelled' };
    const cancel = adapter.cancel?.bind(adapter);
    if (cancel === undefined || !adapter.canCancel(found.status)) {
      return { kind: 'refused', text: problem('no_cancelling_now').text };
    }
    // A run before this one may have found out as little.
    const unproven = wasSentBefore || found.status === 'needs_attention' ? 'unsure' : 'refused';
    const account = await readableAccount(app, input);
    if (account === null) {
      return { kind: unproven, text: SETTINGS_UNREADABLE };
    }
    const context = { account, signal: cancellationSignal() };
    return await app.slotsFor(
      adapter,
      account,
    )(async () => {
      beat(SENT);
      const outcome = await cancel(found, context);
      if (!wasSentBefore && (outcome.kind === 'unavailable' || outcome.kind === 'throttled')) beat(null);
      return await readOutcome(outcome, { unproven, stateOf: () => stateOf(adapter, found, context) });
    });
  };
  return async function cancelAtCarrier(input: ParcelAtCarrier): Promise<Cancelling> {
    return await withHeartbeat((beat) => ask(input, beat));
  };
}

/** A parcel that the database had lost; null where there is none. */
async function findLost(app: CarrierApp, input: ParcelAtCarrier) {
  const { accountId, shipmentUuid: uuid } = input;
  return (await restoreNamed(app, { accountId, uuid })) ? await findParcel(app.db, input) : null;
}

async function readOutcome(
  outcome: Outcome<{ text: string }>,
  { unproven, stateOf }: { unproven: 'unsure' | 'refused'; stateOf: () => Promise<ParcelState> },
): Promise<Cancelling> {
  switch (outcome.kind) {
    case 'accepted':
      return { kind: 'done', text: outcome.value.text };
    case 'rejected': {
      const state = await stateOf();
      if (state === 'cancelled') return { kind: 'done', text: 'Cancelled' };
      return { kind: state === 'unknown' ? unproven : 'refused', text: outcome.text };
    }
    case 'unauthorized':
      return { kind: unproven, text: CREDENTIALS_REFUSED };
    default:
      throw retry('CarrierUnavailable', outcome.text);
  }
}

type ParcelState = 'cancelled' | 'goes_on' | 'unknown';

/** @throws ApplicationFailure when the carrier does not answer now: a refusal alone decides nothing, and is final */
async function stateOf(
  adapter: CarrierAdapter,
  parcel: ParcelRef,
  context: CallContext,
): Promise<ParcelState> {
  if (adapter.status === undefined) return 'unknown';
  const outcome = await adapter.status.fetch([parcel], context);
  if (!isAnswer(outcome)) throw retry('CarrierUnavailable', outcome.text);
  const events = outcome.kind === 'accepted' ? outcome.value.flatMap((status) => status.events) : [];
  if (events.length === 0) return 'unknown';
  return events.at(-1)?.code === 'cancelled' ? 'cancelled' : 'goes_on';
}
