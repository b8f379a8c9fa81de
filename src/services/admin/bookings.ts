import { type BookingDecision, STILL_UNKNOWN } from '../../contracts/create-shipment.js';
import { decideCancellation } from '../../db/queries/creation/cancelling.js';
import { findRecordedCode } from '../../db/queries/creation/recording.js';
import {
  dismissUnclaimed,
  findDecidable,
  listSeen,
  listWaitingOf,
} from '../../db/queries/shipments/attention.js';
import { AppError } from '../../domain/errors.js';
import { problem } from '../../domain/problems/problem.js';
import { Slots } from '../../lib/limits/slots.js';
import type { App } from '../app.js';
import { freeUnsent, resumeToDecide } from '../creation/abandoned-creations.js';
import { type DecisionOutcome, decideBooking, decideSoon } from '../creation/booking-decisions.js';
import { type ActingApp, auditedAct } from './audited.js';
import { AdminError, fieldError, momentOf } from './check.js';
import { requireLicense } from './licenses.js';

type DecidingApp = ActingApp & Pick<App, 'temporal' | 'wake'>;

/**
 * The outcome of a decision. `still_unknown`: it was sent again, and the carrier again did not say whether it booked.
 * `not_ended`: the decision is taken, and the carrier has not answered yet. `freed`: nothing had been sent.
 * `dismissed`: a parcel that nobody claimed is not listed any more. `cancelled`, `goes_on`: how a parcel stands whose
 * cancellation had no readable answer.
 */
export type Decided =
  | { kind: 'created'; trackingCode: string }
  | {
      kind:
        | 'given_up'
        | 'refused'
        | 'still_unknown'
        | 'not_ended'
        | 'freed'
        | 'dismissed'
        | 'cancelled'
        | 'goes_on';
    };

const CREATED = 'created with tracking code ';

const TEXTS = {
  given_up: 'given up: nothing is booked, and the caller reads the reason',
  refused: 'refused: the carrier booked nothing, and the caller reads why',
  still_unknown: `${STILL_UNKNOWN}: the carrier again gave no readable answer; look there before you decide again`,
  not_ended: 'taken, not ended yet: the carrier has not answered; look again later',
  freed: 'freed: nothing was sent to the carrier; the same or another request can book again',
  dismissed: 'noted: the parcel is not listed any more',
  cancelled: 'cancelled: the carrier does not deliver it',
  goes_on: 'goes on: the carrier has not cancelled it',
} as const;

/** The outcome of a decision in words for the administrator's program and the audit. */
export function textOf(decided: Decided): string {
  return decided.kind === 'created' ? `${CREATED}${decided.trackingCode}` : TEXTS[decided.kind];
}

/**
 * Carries out a decision on the booking of a shipment.
 * @throws AppError `validation_failed` for a decision that is none
 * @throws AdminError when there is no such shipment, it does not wait, or the decision was refused
 */
export async function resolveBooking(
  app: DecidingApp,
  { uuid, decision }: { uuid: string; decision: BookingDecision },
): Promise<Decided> {
  checkDecision(decision);
  const found = await findDecidable(app.db, uuid);
  if (found === null) {
    throw new AdminError(problem('not_waiting', { uuid }));
  }
  const { accountId, workflowId } = found;
  return await auditedAct(
    app,
    'bookings.resolve',
    { target: { kind: 'shipment', id: uuid }, accountId, asked: decision },
    () => decide(app, { uuid, workflowId, decision }),
    textOf,
  );
}

/** A shipment as a person saw it: `attempt` is the number of the newest call to the carrier then. */
export interface Seen {
  uuid: string;
  attempt: number;
}

/** A decision on several parcels, each about the call that the person saw. */
export type JointDecision = { action: 'retry' } | { action: 'give_up'; reason: string };

/**
 * The waiting bookings of a license, each with the call that was its newest when a person looked. `lookedAt`: as
 * {@link momentOf} reads it.
 * @throws AppError `validation_failed` for an unknown license or time
 */
export async function listSeenOfLicense(
  app: Pick<App, 'db'>,
  { license, lookedAt }: { license: string; lookedAt: string | undefined },
): Promise<Seen[]> {
  const at = momentOf('looked-at', lookedAt, 'start') ?? null;
  if (at === null) throw fieldError('looked-at', 'looked_at');
  return await listWaitingOf(app.db, { licenseId: (await requireLicense(app, license)).id, at });
}

/**
 * Carries out a decision on several bookings, some at a time. One that fails does not stop the others: each has its
 * order and either what came of it, or why not.
 * @throws AppError `validation_failed` for a decision that is none
 */
export async function resolveBookings(
  app: DecidingApp,
  { seen, decision }: { seen: readonly Seen[]; decision: JointDecision },
) {
  checkDecision({ ...decision, attempt: 0 });
  const slots = new Slots({ total: 10 });
  const orders = new Map((await listSeen(app.db, seen)).map(({ uuid, orderId }) => [uuid, orderId]));
  const decideOne = async ({ uuid, attempt }: Seen) => {
    const shipment = { uuid, orderId: orders.get(uuid) ?? '' };
    try {
      const decided = await resolveBooking(app, { uuid, decision: { ...decision, attempt } });
      return { ...shipment, decided, refusal: null };
    } catch (error) {
      if (!(error instanceof AdminError || error instanceof AppError)) throw error;
      return { ...shipment, decided: null, refusal: error.problem };
    }
  };
  return await Promise.all(seen.map((one) => slots.use(() => decideOne(one))));
}

/** The same rules as in the workflow, in the words of the one who decides. */
function checkDecision(decision: BookingDecision): void {
  if (decision.action === 'adopt') {
    if (/^\S{1,64}$/.test(decision.trackingCode)) return;
    throw fieldError('adopt', 'adopted_code');
  }
  if (!Number.isSafeInteger(decision.attempt) || decision.attempt < 0) {
    throw fieldError('attempt', 'newest_call');
  }
  if (decision.action === 'give_up' && decision.reason.trim() === '') {
    throw fieldError('give-up', 'given_reason');
  }
}

async function decide(
  app: DecidingApp,
  { uuid, workflowId, decision }: { uuid: string; workflowId: string | null; decision: BookingDecision },
): Promise<Decided> {
  const { db, temporal } = app;
  if (workflowId === null) {
    if (decision.action === 'give_up' && (await dismissUnclaimed(db, { uuid, reason: decision.reason }))) {
      return { kind: 'dismissed' };
    }
    const decided = decision.action === 'retry' ? null : await decideUnsure(app, uuid, decision);
    if (decided !== null) return decided;
    throw new AdminError(problem('not_waiting', { uuid }));
  }
  const outcome = await decideBooking(temporal, { workflowId, decision });
  if (outcome.kind !== 'gone') return decidedOf(outcome, decision);
  const creation = { uuid, workflowId };
  if (decision.action === 'give_up' && (await freeUnsent({ db, temporal }, creation)) === 'released') {
    return { kind: 'freed' };
  }
  if (await resumeToDecide({ db, temporal }, creation)) {
    return decidedOf(await decideSoon(temporal, { workflowId, decision }), decision);
  }
  // Its rows do not hold what a run needs.
  if ((await freeUnsent({ db, temporal }, creation)) === 'released') return { kind: 'freed' };
  throw new AdminError(problem('creation_gone', { uuid }));
}

/** A cancellation without a readable answer: giving up records it, and adopting the parcel says that it goes on. */
async function decideUnsure(
  { db, wake }: DecidingApp,
  uuid: string,
  decision: Exclude<BookingDecision, { action: 'retry' }>,
): Promise<Decided | null> {
  const isCancelled = decision.action === 'give_up';
  if (!isCancelled && decision.trackingCode !== (await findRecordedCode(db, uuid))) return null;
  const reason = isCancelled ? decision.reason : '';
  const decided = await decideCancellation(db, { uuid, isCancelled, reason });
  wake(decided.wake);
  if (!decided.decided) return null;
  return { kind: isCancelled ? 'cancelled' : 'goes_on' };
}

/** @throws AdminError when the decision was not carried out */
function decidedOf(outcome: DecisionOutcome, { action }: BookingDecision): Decided {
  switch (outcome.kind) {
    case 'taken':
      if (outcome.text === STILL_UNKNOWN) return { kind: 'still_unknown' };
      if (outcome.text === 'refused') return { kind: action === 'give_up' ? 'given_up' : 'refused' };
      return { kind: 'created', trackingCode: outcome.text.slice(CREATED.length) };
    case 'late':
      return { kind: 'not_ended' };
    case 'refused':
    case 'not_waiting':
      throw new AdminError(outcome.text);
    case 'unanswered':
      throw new AdminError(problem('creation_silent'));
    case 'gone':
      throw new AdminError(problem('creation_ended'));
  }
}
