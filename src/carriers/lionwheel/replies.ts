import type { BookedParcel } from '../../domain/shipment.js';
import type { StatusCode } from '../../domain/statuses.js';
import { jsonOf, textAt, valueAt } from '../../lib/json.js';
import type { InboundReading, Outcome, PickupPoint } from '../contract.js';
import { messagesOf, pointsOf } from '../json.js';
import { type JsonReply, saidIn } from '../json-api.js';
import { accepted, bookingOf, readable, UNREADABLE } from '../outcomes.js';
import { type CarrierEvent, currentEvent, unsignedEvent } from '../readings.js';
import type { Meanings } from '../settings.js';
import { carrierText } from '../text.js';

/** The carrier's statuses: number, name and ours; a license may override any of them. */
export const LIONWHEEL_STATUSES: readonly (readonly [string, string, StatusCode])[] = [
  ['0', 'UNASSIGNED', 'created'],
  ['1', 'ASSIGNED', 'created'],
  ['2', 'ACTIVE', 'out_for_delivery'],
  ['3', 'COMPLETED', 'delivered'],
  ['4', 'CANCELED', 'cancelled'],
  ['5', 'ROUNDTRIP_DELIVERED', 'delivered'],
  ['6', 'IN_INVENTORY', 'collected'],
  ['7', 'OUT_INVENTORY', 'in_transit'],
  ['8', 'FAILED', 'delivery_failed'],
  ['9', 'FINAL_FAILED', 'delivery_failed'],
  ['10', 'IN_TRANSFER', 'in_transit'],
  ['11', 'READY_FOR_SELF_PICKUP', 'at_pickup_point'],
  ['12', 'RETURN_FROM_SELF_PICKUP', 'returning'],
];

/** The final status of a cancelled task. */
const CANCELED = 'CANCELED';

/** The current state of a task. */
export interface Task {
  parcel: BookedParcel;
  event: CarrierEvent;
  isCancelled: boolean;
  /** Address of the label; empty when the reply has none. */
  label: string;
}

type Refusal = Extract<Outcome<never>, { kind: 'rejected' | 'duplicate' | 'unauthorized' }>;

/** The refusal in a reply, by its HTTP status or by errors in a success; null when there is none. */
function refusalOf(reply: JsonReply): Refusal | null {
  const { status, json, text: plain } = reply;
  const said = messagesOf(
    valueAt(json, 'errors') ?? valueAt(json, 'error') ?? valueAt(json, 'message') ?? json ?? plain,
  );
  if (status < 400) {
    const errors = messagesOf(valueAt(json, 'errors'));
    return errors === '' ? null : { kind: 'rejected', code: 'errors', text: carrierText(errors) };
  }
  const text = saidIn(reply, said);
  if (status !== 403) return { kind: 'rejected', code: `http_${status}`, text };
  if (/order id already exists/i.test(said)) return { kind: 'duplicate', text };
  // Texts of the form "Error - …" are about the request; any other 403 is about the key.
  if (/^error - /i.test(said)) return { kind: 'rejected', code: 'http_403', text };
  return { kind: 'unauthorized', text };
}

/** 409: the same request came within a second, and its outcome is unknown. */
const BUSY = { kind: 'unknown', text: 'The carrier is busy with the same request.' } as const;

/** Reads the reply of `tasks/create`. A reply with neither a task nor errors is `unknown`. */
export function readBooking(reply: JsonReply): Outcome<BookedParcel> {
  if (reply.status === 409) return BUSY;
  return bookingOf(reply, refusalOf(reply), parcelOf(reply.json));
}

/** The tracking code, with the task's number as carrier reference; null when the number is missing. */
function parcelOf(task: unknown): BookedParcel | null {
  const id = textAt(task, 'task_id') || textAt(task, 'id');
  if (!/^[1-9]\d{0,19}$/.test(id)) return null;
  const publicId = textAt(task, 'public_id');
  const trackingCode = /^\S{1,64}$/.test(publicId) ? publicId : id;
  return { trackingCode, carrierReference: id, description: null };
}

function taskOf(task: unknown, meanings: Meanings, occurredAt: string): Task | null {
  const parcel = parcelOf(task);
  const status = textAt(task, 'status').toUpperCase();
  if (parcel === null || status === '') return null;
  const known = LIONWHEEL_STATUSES.find(([number, name]) => number === status || name === status);
  const [number = status, name = status] = known ?? [];
  const code = meanings.get(name) ?? meanings.get(number) ?? known?.[2];
  const reason = carrierText(textAt(task, 'failure_reason'));
  return {
    parcel,
    event: currentEvent(code, name, reason || inWords(name), occurredAt),
    isCancelled: name === CANCELED,
    label: textAt(task, 'label'),
  };
}

/** Turns `OUT_INVENTORY` into "Out inventory": the carrier sends only names. */
function inWords(name: string): string {
  return `${name.slice(0, 1)}${name.slice(1).toLowerCase().replaceAll('_', ' ')}`;
}

/** Reads the reply of `tasks/show`; null when the carrier does not have the task. */
export function readTask(reply: JsonReply, meanings: Meanings, askedAt: string): Outcome<Task | null> {
  if (reply.status === 404) return accepted(null);
  return refusalOf(reply) ?? readable(taskOf(valueAt(reply.json, 'task'), meanings, askedAt));
}

/** Reads the reply of `tasks/by_order_id`: the first task with our reference; null when there is none. */
export function readTasks(
  reply: JsonReply,
  reference: string,
  meanings: Meanings,
  askedAt: string,
): Outcome<Task | null> {
  const refusal = refusalOf(reply);
  if (refusal !== null) return refusal;
  const tasks = valueAt(reply.json, 'tasks');
  if (!Array.isArray(tasks)) return UNREADABLE;
  const ours = tasks.filter((task) => [reference, ''].includes(referenceOf(task)));
  return ours.length === 0 ? accepted(null) : readable(taskOf(ours[0], meanings, askedAt));
}

/** Our reference of the task; the sources disagree on the field's name. */
function referenceOf(task: unknown): string {
  return textAt(task, 'original_order_id') || textAt(task, 'order_id') || textAt(task, 'wp_order_id');
}

export function readUpdate(reply: JsonReply): Outcome<{ text: string }> {
  if (reply.status === 409) return BUSY;
  const refusal = refusalOf(reply);
  if (refusal !== null) return refusal;
  if (reply.json === undefined) return UNREADABLE;
  return accepted({ text: carrierText(textAt(reply.json, 'message')) });
}

/** Reads the reply of `tasks/check_region`. An address without a region is not served; one not found is refused. */
export function readRegion(reply: JsonReply): Outcome<{ enabled: boolean }> {
  const refusal = refusalOf(reply);
  if (refusal !== null) return refusal;
  const region = textAt(reply.json, 'region_str');
  const isForbidden = valueAt(reply.json, 'is_forbidden') === true;
  const error = textAt(reply.json, 'error');
  if (region === '' && error === '' && !isForbidden) return UNREADABLE;
  return accepted({ enabled: region !== '' && error === '' && !isForbidden });
}

/** Reads the reply of `self_pickup_points`: a list, bare or under its name. */
export function readPoints(reply: JsonReply): Outcome<PickupPoint[]> {
  const names = { id: 'uuid', remarks: 'notes' };
  return refusalOf(reply) ?? pointsOf(reply.json, 'self_pickup_points', names);
}

/** Reads a posted status change. It has no signature and no date, so equal content is the same event. */
export function readPosted(body: Buffer, meanings: Meanings, nowIso: string): InboundReading {
  const json = jsonOf(body);
  const posted = valueAt(json, 'task') ?? json;
  const task = taskOf(posted, meanings, nowIso);
  if (task === null) return { kind: 'unreadable', text: 'The message names no task or no status.' };
  const { trackingCode, carrierReference } = task.parcel;
  return unsignedEvent(body, carrierReference ?? '', trackingCode, referenceOf(posted), task.event);
}
