import type { Command } from 'commander';
import type { BookingDecision } from '../contracts/create-shipment.js';
import {
  dismissUnclaimed,
  listNeedingAttention,
  listWaitingOf,
  workflowIdOf,
} from '../db/queries/shipments/attention.js';
import { Slots } from '../lib/limits/slots.js';
import { LIMITS } from '../lib/limits/values.js';
import { runsLink, runsWith } from '../lib/temporal-ui.js';
import { fieldError } from '../services/admin/check.js';
import { rotateCredentials } from '../services/admin/credentials.js';
import { requireLicense } from '../services/admin/licenses.js';
import type { App } from '../services/app.js';
import { freeUnsent, resumeToDecide } from '../services/creation/abandoned-creations.js';
import { type DecisionOutcome, decideBooking, decideSoon } from '../services/creation/booking-decisions.js';
import { tellParcel } from '../services/shipments/parcel-story.js';
import { type AdminCliApp, AdminError, addCommand, type Session, textOption, toId } from './command.js';

/** The operator's commands. Those for bookings with unknown outcome always print JSON. */
export function addShipmentCommands(program: Command, session: Session): void {
  addCommand(program, session, {
    name: 'show',
    arguments: ['<order-or-tracking-code-or-uuid>'],
    summary: 'tell the story of one parcel: booking, history, mails, webhooks, its run in Temporal',
    examples: ['show 1001', 'show 65267396', 'show 01a1fca5-1a64-7202-906c-154e274a5396 --json'],
    run: (app, { args: [name = ''] }) => showParcel(app, name),
  });
  addCommand(program, session, {
    name: 'needs-attention',
    summary: 'list the shipments whose booking has an unknown outcome, as JSON, oldest first',
    examples: ['needs-attention'],
    run: listWaiting,
    asIs: true,
  });
  addCommand(program, session, {
    name: 'resolve',
    arguments: ['[shipment-uuid]'],
    summary: 'decide on a booking of unknown outcome, or on all that wait of one license',
    options: [
      ['--license <key-or-id>', 'in place of the uuid: all shipments of this license that wait'],
      ['--adopt <tracking-code>', 'the parcel is there, under this code'],
      ['--even-so', 'with --adopt: though another live shipment of the license has the code'],
      ['--retry', 'the parcel is certainly not there: book again'],
      ['--give-up <reason>', 'the shipment is not wanted any more'],
    ],
    examples: [
      'resolve 01a1fca5-1a64-7202-906c-154e274a5396 --adopt 65267396',
      'resolve 01a1fca5-1a64-7202-906c-154e274a5396 --retry',
      "resolve 01a1fca5-1a64-7202-906c-154e274a5396 --give-up 'ordered twice'",
      'resolve --license blue-hfd --retry',
    ],
    columns: ['uuid', 'order_id', 'outcome'],
    run: async (app, { args: [uuid], options }) => {
      const license = textOption(options, 'license');
      if (license !== undefined && uuid === undefined) {
        return await resolveAll(app, license, decisionOf(options));
      }
      if (uuid === undefined || license !== undefined) {
        throw fieldError('shipment-uuid', 'must be given, or --license, and not both');
      }
      const told = await resolveShipment(app, uuid, decisionOf(options));
      const run = runsLink(app.temporalUi, runsWith('ShipmentId', uuid));
      if (run !== null) process.stderr.write(`run: ${run}\n`);
      return told;
    },
    asIs: true,
  });
  addCommand(program, session, {
    name: 'rotate-credentials',
    arguments: ['<account-id>'],
    summary: 'the same as credentials rotate, but always as JSON',
    examples: ['rotate-credentials 2'],
    run: async (app, { args: [account] }) => {
      const { clientId, clientSecret } = await rotateCredentials(app, { account: toId(account ?? '') });
      return { clientId, clientSecret };
    },
    asIs: true,
  });
}

/** `run`: the run's URL in the Temporal UI, else its id. */
async function listWaiting({ db, temporalUi }: AdminCliApp): Promise<unknown> {
  return (await listNeedingAttention(db)).map(({ workflowId, ...shipment }) => ({
    ...shipment,
    run: runsLink(temporalUi, runsWith('WorkflowId', workflowId)) ?? workflowId,
  }));
}

/** @throws AdminError when there is no such shipment */
async function showParcel(app: AdminCliApp, name: string): Promise<unknown> {
  const told = await tellParcel(app, name);
  if (told === null) throw new AdminError(`No shipment has the order, tracking code or uuid ${name}.`);
  if (told.kind === 'one') return told.story;
  return {
    found: `${told.shipments.length} shipments; admin show <uuid> tells of one`,
    shipments: told.shipments,
  };
}

/**
 * Sends a decision to every waiting creation of a license. One that fails does not stop the others: its outcome
 * says why, and the program exits with 1. @throws AppError `validation_failed` for an unknown license or a
 * decision about one parcel
 */
async function resolveAll(
  app: Pick<App, 'db' | 'temporal'>,
  license: string,
  decision: BookingDecision,
): Promise<{ uuid: string; orderId: string; outcome: string }[]> {
  if (decision.action === 'adopt') throw fieldError('adopt', 'goes with one shipment alone');
  const waiting = await listWaitingOf(app.db, (await requireLicense(app, license)).id);
  const slots = new Slots({ total: LIMITS.creations.decisionsAtOnce });
  const decide = async (shipment: (typeof waiting)[number]) => {
    try {
      return { ...shipment, outcome: await resolveShipment(app, shipment.uuid, decision) };
    } catch (error) {
      if (!(error instanceof AdminError)) throw error;
      process.exitCode = 1;
      return { ...shipment, outcome: error.message };
    }
  };
  return await Promise.all(waiting.map((shipment) => slots.use(() => decide(shipment))));
}

/**
 * Sends a decision to the waiting creation and returns the outcome. @throws AdminError when there is no such
 * shipment or it is not waiting
 */
async function resolveShipment(
  { db, temporal }: Pick<App, 'db' | 'temporal'>,
  uuid: string,
  decision: BookingDecision,
): Promise<string> {
  const workflowId = await workflowIdOf(db, uuid);
  if (workflowId === null) {
    if (decision.action === 'give_up' && (await dismissUnclaimed(db, { uuid, reason: decision.reason }))) {
      return 'noted: the parcel is not listed any more';
    }
    throw new AdminError(`Shipment ${uuid} does not exist or does not wait for this decision.`);
  }
  const outcome = await decideBooking(temporal, { workflowId, decision });
  if (outcome.kind !== 'gone') return textOf(outcome);
  const creation = { uuid, workflowId };
  if ((await freeUnsent({ db, temporal }, creation)) === 'released') {
    return 'freed: nothing was sent to the carrier; the same or another request can book again';
  }
  if (await resumeToDecide({ db, temporal }, creation)) {
    return textOf(await decideSoon(temporal, { workflowId, decision }));
  }
  throw new AdminError(
    `The creation is not running any more, and something was sent to the carrier. Look there for the reference ` +
      `${uuid}; then send the same request with the same key again, which resumes the creation, and resolve it ` +
      'once it is listed by needs-attention and waits.',
  );
}

/** @throws AdminError when the decision was not carried out */
function textOf(outcome: DecisionOutcome): string {
  switch (outcome.kind) {
    case 'taken':
      return outcome.text;
    case 'refused':
    case 'not_waiting':
      throw new AdminError(outcome.text);
    case 'late':
      throw new AdminError('The creation has not answered yet. Look again later.');
    case 'gone':
      throw new AdminError('The creation has just ended. Look again.');
  }
}

function decisionOf(options: Readonly<Record<string, unknown>>): BookingDecision {
  const adopt = textOption(options, 'adopt');
  const giveUp = textOption(options, 'giveUp');
  const given = [adopt, giveUp, options.retry].filter((one) => one !== undefined).length;
  if (given !== 1) throw fieldError('decision', 'must be exactly one of --adopt, --retry and --give-up');
  const isEvenSo = options.evenSo === true;
  if (isEvenSo && adopt === undefined) throw fieldError('even-so', 'goes with --adopt alone');
  if (adopt !== undefined) {
    return { action: 'adopt', trackingCode: adopt, ...(isEvenSo ? { evenSo: true } : {}) };
  }
  if (giveUp !== undefined) return { action: 'give_up', reason: giveUp };
  return { action: 'retry' };
}
