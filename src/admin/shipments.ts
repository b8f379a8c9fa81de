import type { BookingDecision } from '../contracts/create-shipment.js';
import { countNeedingAttention, listNeedingAttention } from '../db/queries/shipments/attention.js';
import { runsLink, runsWith } from '../lib/temporal-ui.js';
import {
  type JointDecision,
  listSeenOfLicense,
  resolveBooking,
  resolveBookings,
  textOf,
} from '../services/admin/bookings.js';
import { requireAdapter } from '../services/admin/carriers.js';
import { AdminError } from '../services/admin/check.js';
import { setShipmentStatus } from '../services/admin/shipment-status.js';
import { tellParcel } from '../services/shipments/parcel-story.js';
import {
  type ActingCliApp,
  type AdminCliApp,
  type CommandInput,
  type Commands,
  textOption,
} from './command.js';
import { optionError } from './input.js';

/** Exit code of `needs-attention --exit-code` when something waits. */
const SOMETHING_WAITS = 3;
/** Most that `needs-attention` lists. */
const MOST_LISTED = 500;

/** The operator's commands about single parcels. */
export function addShipmentCommands(program: Commands): void {
  program.add({
    name: 'show <order-or-tracking-code-or-uuid>',
    summary: 'tell the story of one parcel: booking, history, mails, webhooks, its run in Temporal',
    examples: ['show 1001', 'show 65267396', 'show 01a1fca5-1a64-7202-906c-154e274a5396 --json'],
    run: (app, { args: [name = ''] }) => showParcel(app, name),
  });
  program.add({
    name: 'needs-attention',
    summary: 'list the shipments whose booking has an unknown outcome, oldest first',
    options: [
      ['--carrier <provider>', 'only those of this carrier'],
      ['--exit-code', `end with ${SOMETHING_WAITS} when one waits, for a monitor`],
    ],
    examples: ['needs-attention', 'needs-attention --json', 'needs-attention --exit-code > /dev/null'],
    columns: ['uuid', 'merchant', 'provider', 'order_id', 'attempt', 'since', 'reason'],
    run: listWaiting,
  });
  program.addChange({
    name: 'resolve [shipment-uuid]',
    summary: 'decide on a booking of unknown outcome, or on all that wait of one license',
    options: [
      ['--license <key-or-id>', 'in place of the uuid: all shipments of this license that wait'],
      ['--adopt <tracking-code>', 'the parcel is there, under this code'],
      ['--even-so', 'with --adopt: though another live shipment of the license has the code'],
      ['--retry', 'the parcel is certainly not there: book again'],
      ['--give-up <reason>', 'the shipment is not wanted any more'],
      [
        '--attempt <number>',
        'with --retry and --give-up: the attempt that needs-attention showed when you looked',
      ],
      [
        '--looked-at <time>',
        'with --license: when you looked at the carrier; what was sent later is refused',
      ],
    ],
    examples: [
      'resolve 01a1fca5-1a64-7202-906c-154e274a5396 --adopt 65267396',
      'resolve 01a1fca5-1a64-7202-906c-154e274a5396 --retry --attempt 1',
      "resolve 01a1fca5-1a64-7202-906c-154e274a5396 --give-up 'ordered twice' --attempt 1",
      'resolve --license blue-hfd --retry --looked-at 2027-01-31T14:05:00+02:00',
    ],
    columns: ['uuid', 'order_id', 'outcome'],
    run: resolve,
  });
}

export function addShipmentStatusCommands(program: Commands): void {
  const example = 'shipments set-status 123456789012345678 delivered';
  const noun = program.addNoun('shipments', "parcels of the shop's own couriers", example);
  noun.addChange({
    name: 'set-status <uuid-or-tracking-code> <status>',
    summary: 'report where a parcel is whose carrier reports nothing by itself',
    options: [
      ['--note <text>', 'what recipients read in place of the name of the status'],
      ['--at <time>', 'when it happened, such as 2027-01-31T14:05:00+02:00; now by default'],
    ],
    examples: [
      example,
      "shipments set-status 123456789012345678 delivery_failed --note 'Nobody was at home'",
    ],
    run: (app, { args: [shipment, status], options }) =>
      setShipmentStatus(app, { ...options, shipment, status }),
  });
}

/** `run`: the run's URL in the Temporal UI, else its id. */
async function listWaiting(app: AdminCliApp, { options }: CommandInput): Promise<unknown> {
  const carrier = textOption(options, 'carrier');
  if (carrier !== undefined) requireAdapter(app, carrier);
  const waiting = await listNeedingAttention(app.db, { provider: carrier, limit: MOST_LISTED });
  const { total } = await countNeedingAttention(app.db, { provider: carrier });
  if (total > waiting.length)
    process.stderr.write(`${total} wait; the oldest ${waiting.length} are listed\n`);
  if (options.exitCode === true && waiting.length > 0) process.exitCode = SOMETHING_WAITS;
  return waiting.map(({ id: _id, state: _state, workflowId, ...shipment }) => ({
    ...shipment,
    run: runsLink(app.temporalUi, runsWith('WorkflowId', workflowId)) ?? workflowId,
  }));
}

/** Ends with 1 where a decision of several could not be carried out. */
async function resolve(app: ActingCliApp, { args: [uuid], options }: CommandInput): Promise<unknown> {
  const license = textOption(options, 'license');
  if (license !== undefined && uuid === undefined) {
    const decision = jointOf(options);
    const seen = await listSeenOfLicense(app, { license, lookedAt: textOption(options, 'lookedAt') });
    const decided = await resolveBookings(app, { seen, decision });
    if (decided.some(({ refusal }) => refusal !== null)) process.exitCode = 1;
    return decided.map(({ decided, refusal, ...one }) => ({
      ...one,
      outcome: decided === null ? refusal?.text : textOf(decided),
    }));
  }
  if (uuid === undefined || license !== undefined) {
    throw optionError('shipment-uuid', 'must be given, or --license, and not both');
  }
  const decided = await resolveBooking(app, { uuid, decision: decisionOf(options) });
  const run = runsLink(app.temporalUi, runsWith('ShipmentId', uuid));
  if (run !== null) process.stderr.write(`run: ${run}\n`);
  return textOf(decided);
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

function decisionOf(options: Readonly<Record<string, unknown>>): BookingDecision {
  const adopt = textOption(options, 'adopt');
  const giveUp = textOption(options, 'giveUp');
  const attempt = attemptOf(options);
  const given = [adopt, giveUp, options.retry].filter((one) => one !== undefined).length;
  if (given !== 1) throw optionError('decision', 'must be exactly one of --adopt, --retry and --give-up');
  const isEvenSo = options.evenSo === true;
  if (isEvenSo && adopt === undefined) throw optionError('even-so', 'goes with --adopt alone');
  if (adopt !== undefined) {
    return { action: 'adopt', trackingCode: adopt, ...(isEvenSo ? { evenSo: true } : {}) };
  }
  return giveUp === undefined ? { action: 'retry', attempt } : { action: 'give_up', attempt, reason: giveUp };
}

/** NaN where none, or none that is a number, is given. */
function attemptOf(options: Readonly<Record<string, unknown>>): number {
  const given = textOption(options, 'attempt') ?? '';
  return /^\d+$/.test(given) ? Number(given) : Number.NaN;
}

/** @throws AppError `validation_failed` for a decision about one parcel alone */
function jointOf(options: Readonly<Record<string, unknown>>): JointDecision {
  const decision = decisionOf(options);
  if (decision.action === 'adopt') throw optionError('adopt', 'goes with one shipment alone');
  return decision.action === 'retry' ? { action: 'retry' } : { action: 'give_up', reason: decision.reason };
}
