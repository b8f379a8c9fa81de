import { cancellationSignal } from '@temporalio/activity';
import type { CallContext, CarrierAdapter, Outcome, ParcelRef } from '../src/carriers/contract.js';
import { isAnswer } from '../src/carriers/outcomes.js';
import type { ParcelAtCarrier } from '../src/contracts/cancel-shipment.js';
import { findParcel } from '../src/db/queries/creation/cancelling.js';
import { problem } from '../src/domain/problems/problem.js';
import { SETTINGS_UNREADABLE } from '../src/services/carriers/carrier-accounts.js';
import type { CarrierApp } from './carrier-slots.js';
import { withHeartbeat } from './heartbeat.js';
import { retry } from './next-try.js';
import { CREDENTIALS_REFUSED, readableAccount } from './readable-account.js';

/** `done`: the carrier will not deliver the parcel. `text` is for people. */
type Cancelling = { kind: 'done' | 'refused'; text: string };

/**
 * Cancels a parcel with the carrier. A refusal because it was already cancelled counts as done: an earlier
 * answer got lost.
 */
export function createCancelActivity(app: CarrierApp) {
  const ask = async (input: ParcelAtCarrier): Promise<Cancelling> => {
    const found = await findParcel(app.db, input);
    if (found === null) return { kind: 'refused', text: 'The shipment is not booked.' };
    const adapter = app.carriers(input.provider);
    if (found.status === 'cancelled') return { kind: 'done', text: 'Cancelled' };
    const cancel = adapter.cancel?.bind(adapter);
    if (cancel === undefined || !adapter.canCancel(found.status)) {
      return { kind: 'refused', text: problem('no_cancelling_now').text };
    }
    const account = await readableAccount(app, input);
    if (account === null) {
      return { kind: 'refused', text: SETTINGS_UNREADABLE };
    }
    const context = { account, signal: cancellationSignal() };
    return await app.slotsFor(
      adapter,
      account,
    )(async () => {
      const outcome = await cancel(found, context);
      return await readOutcome(outcome, () => isCancelled(adapter, found, context));
    });
  };
  return async function cancelAtCarrier(input: ParcelAtCarrier): Promise<Cancelling> {
    return await withHeartbeat(() => ask(input));
  };
}

async function readOutcome(
  outcome: Outcome<{ text: string }>,
  isCancelled: () => Promise<boolean>,
): Promise<Cancelling> {
  switch (outcome.kind) {
    case 'accepted':
      return { kind: 'done', text: outcome.value.text };
    case 'rejected':
      return (await isCancelled())
        ? { kind: 'done', text: 'Cancelled' }
        : { kind: 'refused', text: outcome.text };
    case 'unauthorized':
      return { kind: 'refused', text: CREDENTIALS_REFUSED };
    default:
      throw retry('CarrierUnavailable', outcome.text);
  }
}

/** @throws ApplicationFailure when the carrier does not say: a refusal alone decides nothing, and is final */
async function isCancelled(
  adapter: CarrierAdapter,
  parcel: ParcelRef,
  context: CallContext,
): Promise<boolean> {
  if (adapter.status === undefined) return false;
  const outcome = await adapter.status.fetch([parcel], context);
  if (!isAnswer(outcome)) throw retry('CarrierUnavailable', outcome.text);
  if (outcome.kind !== 'accepted') return false;
  return outcome.value.some((status) => status.events.at(-1)?.code === 'cancelled');
}
