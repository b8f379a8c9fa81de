import { ApplicationFailure, condition, defineUpdate, setHandler } from '@temporalio/workflow';
import {
  type BookingDecision,
  type Calls,
  NOT_WAITING,
  RESOLVE_BOOKING,
} from '../../src/contracts/create-shipment.js';

/** An operator's decision on an unknown outcome; returns the result. */
const resolveBooking = defineUpdate<string, [BookingDecision]>(RESOLVE_BOOKING);

export type DecisionDesk = ReturnType<typeof openDecisionDesk>;

/** Waits for an operator's decision and answers it: registers the `resolveBooking` Update. */
export function openDecisionDesk() {
  /** The calls to decide about, while a decision is awaited. */
  let waiting: Calls | undefined;
  let taken: BookingDecision | undefined;
  let asked: { resolve: (text: string) => void; reject: (reason: Error) => void } | undefined;

  setHandler(
    resolveBooking,
    (decision) => {
      waiting = undefined;
      taken = decision;
      return new Promise<string>((resolve, reject) => {
        asked = { resolve, reject };
      });
    },
    {
      description:
        'Decide on a booking of unknown outcome: {"action":"adopt","trackingCode":"CODE"} (with "evenSo":true where ' +
        'another shipment has the code), {"action":"retry","attempt":NUMBER}, or ' +
        '{"action":"give_up","attempt":NUMBER,"reason":"REASON"}. NUMBER: of the newest call when you looked there.',
      validator: (decision) => {
        if (waiting === undefined) {
          throw ApplicationFailure.nonRetryable('This shipment does not wait for a decision.', NOT_WAITING);
        }
        checkDecision(decision);
        // Newer than known: decided once the calls were looked at again.
        if (decision.action !== 'adopt' && decision.attempt > waiting.attempt) return;
        const objection = objectionTo(decision, waiting);
        if (objection !== null) throw refused(objection);
      },
    },
  );

  return {
    /** The next decision; undefined when none comes within `waitMs`. Updates are accepted from the first call on. */
    async next(waitMs: number, calls: Calls): Promise<BookingDecision | undefined> {
      // A decision may have come in the meantime.
      waiting = taken === undefined ? calls : undefined;
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

/** Why a decision about these calls cannot be carried out; null when it can. A code that the carrier shows always can. */
export function objectionTo(decision: BookingDecision, { attempt, underWayUntil }: Calls): string | null {
  if (decision.action === 'adopt') return null;
  if (decision.attempt !== attempt) {
    return (
      `Something was sent to the carrier since you looked: the newest call is number ${attempt}, the decision is ` +
      `about number ${decision.attempt}. Look again.`
    );
  }
  if (underWayUntil === null || Date.parse(underWayUntil) <= Date.now()) return null;
  return `The call may still be under way. It can be decided from ${underWayUntil.slice(0, 19)}Z on.`;
}

function checkDecision(decision: BookingDecision): void {
  switch (decision.action) {
    case 'adopt':
      if (typeof decision.trackingCode === 'string' && /^\S{1,64}$/.test(decision.trackingCode)) return;
      throw refused('adopt needs trackingCode: 1 to 64 characters without spaces.');
    case 'give_up':
      checkAttempt(decision);
      if (typeof decision.reason === 'string' && decision.reason.trim() !== '') return;
      throw refused('give_up needs reason: a text.');
    case 'retry':
      checkAttempt(decision);
      return;
    default:
      throw refused('action must be one of adopt, retry, give_up.');
  }
}

function checkAttempt({ action, attempt }: { action: string; attempt: number }): void {
  if (Number.isSafeInteger(attempt) && attempt >= 0) return;
  throw refused(`${action} needs attempt: the number of the newest call when you looked at the carrier.`);
}

function refused(message: string): ApplicationFailure {
  return ApplicationFailure.nonRetryable(message, 'DecisionRefused');
}
