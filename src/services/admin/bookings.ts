import type { BookingDecision } from '../../contracts/create-shipment.js';
import { dismissUnclaimed, findDecidable, listWaitingOf } from '../../db/queries/shipments/attention.js';
import { Slots } from '../../lib/limits/slots.js';
import { LIMITS } from '../../lib/limits/values.js';
import type { App } from '../app.js';
import { freeUnsent, resumeToDecide } from '../creation/abandoned-creations.js';
import { type DecisionOutcome, decideBooking, decideSoon } from '../creation/booking-decisions.js';
import { type ActingApp, auditedAct } from './audited.js';
import { AdminError, fieldError } from './check.js';
import { requireLicense } from './licenses.js';

type DecidingApp = ActingApp & Pick<App, 'temporal'>;

/**
 * Carries out a decision on the booking of a shipment, and returns what came of it in words.
 * @throws AppError `validation_failed` for a decision that is none
 * @throws AdminError when there is no such shipment, it does not wait, or the decision was refused
 */
export async function resolveBooking(
  app: DecidingApp,
  { uuid, decision }: { uuid: string; decision: BookingDecision },
): Promise<string> {
  checkDecision(decision);
  const found = await findDecidable(app.db, uuid);
  if (found === null) {
    throw new AdminError(`Shipment ${uuid} does not exist or does not wait for this decision.`);
  }
  const { accountId, workflowId } = found;
  return await auditedAct(
    app,
    'bookings.resolve',
    { target: { kind: 'shipment', id: uuid }, accountId, asked: decision },
    () => decide(app, { uuid, workflowId, decision }),
    (outcome) => outcome,
  );
}

/**
 * Carries out a decision on every waiting booking of a license, and returns what came of each. One that fails does not
 * stop the others.
 * @throws AppError `validation_failed` for an unknown license, or a decision about one parcel alone
 */
export async function resolveBookings(
  app: DecidingApp,
  { license, decision }: { license: string; decision: BookingDecision },
) {
  if (decision.action === 'adopt') throw fieldError('adopt', 'goes with one shipment alone');
  checkDecision(decision);
  const waiting = await listWaitingOf(app.db, (await requireLicense(app, license)).id);
  const slots = new Slots({ total: LIMITS.creations.decisionsAtOnce });
  const decideOne = async (shipment: (typeof waiting)[number]) => {
    try {
      const outcome = await resolveBooking(app, { uuid: shipment.uuid, decision });
      return { ...shipment, isDone: true, outcome };
    } catch (error) {
      if (!(error instanceof AdminError)) throw error;
      return { ...shipment, isDone: false, outcome: error.message };
    }
  };
  return await Promise.all(waiting.map((shipment) => slots.use(() => decideOne(shipment))));
}

/** The same rules as in the workflow, in the words of the one who decides. */
function checkDecision(decision: BookingDecision): void {
  if (decision.action === 'adopt' && !/^\S{1,64}$/.test(decision.trackingCode)) {
    throw fieldError('adopt', "must be the carrier's tracking code: 1 to 64 characters without spaces");
  }
  if (decision.action === 'give_up' && decision.reason.trim() === '') {
    throw fieldError('give-up', 'must be the reason, which the caller reads');
  }
}

async function decide(
  { db, temporal }: DecidingApp,
  { uuid, workflowId, decision }: { uuid: string; workflowId: string | null; decision: BookingDecision },
): Promise<string> {
  if (workflowId === null) {
    if (decision.action === 'give_up' && (await dismissUnclaimed(db, { uuid, reason: decision.reason }))) {
      return 'noted: the parcel is not listed any more';
    }
    throw new AdminError(`Shipment ${uuid} does not exist or does not wait for this decision.`);
  }
  const outcome = await decideBooking(temporal, { workflowId, decision });
  if (outcome.kind !== 'gone') return textOf(outcome, decision);
  const creation = { uuid, workflowId };
  if ((await freeUnsent({ db, temporal }, creation)) === 'released') {
    return 'freed: nothing was sent to the carrier; the same or another request can book again';
  }
  if (await resumeToDecide({ db, temporal }, creation)) {
    return textOf(await decideSoon(temporal, { workflowId, decision }), decision);
  }
  throw new AdminError(
    `The creation is not running any more, and something was sent to the carrier. Look there for the reference ` +
      `${uuid}; then send the same request with the same key again, which resumes the creation, and resolve it ` +
      'once it is listed by needs-attention and waits.',
  );
}

/** @throws AdminError when the decision was not carried out */
function textOf(outcome: DecisionOutcome, { action }: BookingDecision): string {
  switch (outcome.kind) {
    case 'taken':
      // The creation's own word, `refused`, is what its caller meets.
      return action === 'give_up' && outcome.text === 'refused'
        ? 'given up: nothing is booked, and the caller reads the reason'
        : outcome.text;
    case 'refused':
    case 'not_waiting':
      throw new AdminError(outcome.text);
    case 'late':
      throw new AdminError('The creation has not answered yet. Look again later.');
    case 'gone':
      throw new AdminError('The creation has just ended. Look again.');
  }
}
