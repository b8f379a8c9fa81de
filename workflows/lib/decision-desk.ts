import { ApplicationFailure, condition, defineUpdate, setHandler } from '@temporalio/workflow';
import { type BookingDecision, NOT_WAITING, RESOLVE_BOOKING } from '../../src/contracts/create-shipment.js';

/** An operator's decision on an unknown outcome; returns the result. */
const resolveBooking = defineUpdate<string, [BookingDecision]>(RESOLVE_BOOKING);

export type DecisionDesk = ReturnType<typeof openDecisionDesk>;

/** Waits for an operator's decision and answers it: registers the `resolveBooking` Update. */
export function openDecisionDesk() {
  let waiting = false;
  let taken: BookingDecision | undefined;
  let asked: { resolve: (text: string) => void; reject: (reason: Error) => void } | undefined;

  setHandler(
    resolveBooking,
    (decision) => {
      waiting = false;
      taken = decision;
      return new Promise<string>((resolve, reject) => {
        asked = { resolve, reject };
      });
    },
    {
      description:
        'Decide on a booking of unknown outcome: {"action":"adopt","trackingCode":"CODE"} (with "evenSo":true where ' +
        'another shipment has the code), {"action":"retry"}, or {"action":"give_up","reason":"REASON"}.',
      validator: (decision) => {
        if (!waiting) {
          throw ApplicationFailure.nonRetryable('This shipment does not wait for a decision.', NOT_WAITING);
        }
        checkDecision(decision);
      },
    },
  );

  return {
    /** The next decision; undefined when none comes within `waitMs`. Updates are accepted from the first call on. */
    async next(waitMs: number): Promise<BookingDecision | undefined> {
      // A decision may have come in the meantime.
      waiting = taken === undefined;
      await condition(() => taken !== undefined, waitMs);
      const decision = taken;
      taken = undefined;
      return decision;
    },
    /** Answers the Update of the last decision. */
    answer(text: string): void {
      asked?.resolve(text);
    },
    /** Fails the Update: the decision was not carried out. */
    refuse(reason: string): void {
      asked?.reject(refused(reason));
    },
  };
}

function checkDecision(decision: BookingDecision): void {
  switch (decision.action) {
    case 'adopt':
      if (typeof decision.trackingCode === 'string' && /^\S{1,64}$/.test(decision.trackingCode)) return;
      throw refused('adopt needs trackingCode: 1 to 64 characters without spaces.');
    case 'give_up':
      if (typeof decision.reason === 'string' && decision.reason.trim() !== '') return;
      throw refused('give_up needs reason: a text.');
    case 'retry':
      return;
    default:
      throw refused('action must be one of adopt, retry, give_up.');
  }
}

function refused(message: string): ApplicationFailure {
  return ApplicationFailure.nonRetryable(message, 'DecisionRefused');
}
