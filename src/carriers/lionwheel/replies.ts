import type { BookedParcel } from '../../domain/shipment.js';
import type { StatusCode } from '../../domain/statuses.js';
import type { InboundReading, Outcome, PickupPoint } from '../contract.js';
import { jsonOf, messagesOf, pointsOf, textAt, valueAt } from '../json.js';
import type { JsonReply } from '../json-api.js';
import { accepted, bookingOf, readable, UNREADABLE } from '../outcomes.js';
import { type CarrierEvent, currentEvent, unsignedEvent } from '../readings.js';
import type { Meanings } from '../settings.js';
import { carrierText } from '../text.js';

/** The carrier's statuses: number, name, and ours. A license may give any of them another meaning. */
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

/** The name of the status that a task may no longer leave. */
const CANCELED = 'CANCELED';

/** A task as the carrier has it now. */
export interface Task {
  parcel: BookedParcel;
  event: CarrierEvent;
  isCancelled: boolean;
  /** Address of the label; empty where the reply has none. */
  label: string;
}

type Refusal = Extract<Outcome<never>, { kind: 'rejected' | 'duplicate' | 'unauthorized' }>;

/** Why a reply refuses: by its status, or by errors that come with success. Null where it does not. */
function refusalOf({ status, json, text: plain }: JsonReply): Refusal | null {
  const said = messagesOf(
    valueAt(json, 'errors') ?? valueAt(json, 'error') ?? valueAt(json, 'message') ?? json ?? plain,
  );
  if (status < 400) {
    const errors = messagesOf(valueAt(json, 'errors'));
    return errors === '' ? null : { kind: 'rejected', code: 'errors', text: carrierText(errors) };
  }
  const text = carrierText(said) || `The carrier answered HTTP ${status}.`;
  if (status !== 403) return { kind: 'rejected', code: `http_${status}`, text };
  if (/order id already exists/i.test(said)) return { kind: 'duplicate', text };
  // The carrier says "Error - …" of what it was sent; any other 403 is about the key.
  if (/^error - /i.test(said)) return { kind: 'rejected', code: 'http_403', text };
  return { kind: 'unauthorized', text };
}

/** 409: the same request came within a second, its outcome untold. */
const BUSY = { kind: 'unknown', text: 'The carrier is busy with the same request.' } as const;

/** Reply of `tasks/create`. One with neither a task nor errors is `unknown`. */
export function readBooking(reply: JsonReply): Outcome<BookedParcel> {
  if (reply.status === 409) return BUSY;
  return bookingOf(reply, refusalOf(reply), parcelOf(reply.json));
}

/** The code that people look up, and the task's number behind it; null where the number is missing. */
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

/** `OUT_INVENTORY` as "Out inventory": the carrier sends names only. */
function inWords(name: string): string {
  return `${name.slice(0, 1)}${name.slice(1).toLowerCase().replaceAll('_', ' ')}`;
}

/** Reply of `tasks/show`; `accepted` with null for a task that the carrier does not have. */
export function readTask(reply: JsonReply, meanings: Meanings, askedAt: string): Outcome<Task | null> {
  if (reply.status === 404) return accepted(null);
  return refusalOf(reply) ?? readable(taskOf(valueAt(reply.json, 'task'), meanings, askedAt));
}

/** Reply of `tasks/by_order_id`: the first task under our reference; `accepted` with null when there is none. */
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

/** What we called the order; sources differ in the name of the field. */
function referenceOf(task: unknown): string {
  return textAt(task, 'original_order_id') || textAt(task, 'order_id') || textAt(task, 'wp_order_id');
}

/** Reply of `tasks/update`. */
export function readUpdate(reply: JsonReply): Outcome<{ text: string }> {
  if (reply.status === 409) return BUSY;
  const refusal = refusalOf(reply);
  if (refusal !== null) return refusal;
  if (reply.json === undefined) return UNREADABLE;
  return accepted({ text: carrierText(textAt(reply.json, 'message')) });
}

/** Reply of `tasks/check_region`: an address without a region is out of reach, one that is not found is refused. */
export function readRegion(reply: JsonReply): Outcome<{ enabled: boolean }> {
  const refusal = refusalOf(reply);
  if (refusal !== null) return refusal;
  const region = textAt(reply.json, 'region_str');
  const isForbidden = valueAt(reply.json, 'is_forbidden') === true;
  const error = textAt(reply.json, 'error');
  if (region === '' && error === '' && !isForbidden) return UNREADABLE;
  return accepted({ enabled: region !== '' && error === '' && !isForbidden });
}

/** Reply of `self_pickup_points`: a list, bare or under its name. */
export function readPoints(reply: JsonReply): Outcome<PickupPoint[]> {
  const refusal = refusalOf(reply);
  if (refusal !== null) return refusal;
  const list = Array.isArray(reply.json) ? reply.json : valueAt(reply.json, 'self_pickup_points');
  if (!Array.isArray(list)) return UNREADABLE;
  return accepted(pointsOf(list, { id: 'uuid', remarks: 'notes' }));
}

/** A posted status change. Nothing in it is signed or dated: the same content is the same event. */
export function readPosted(body: Buffer, meanings: Meanings, nowIso: string): InboundReading {
  const json = jsonOf(body);
  const posted = valueAt(json, 'task') ?? json;
  const task = taskOf(posted, meanings, nowIso);
  if (task === null) return { kind: 'unreadable', text: 'The message names no task or no status.' };
  const { trackingCode, carrierReference } = task.parcel;
  return unsignedEvent(body, carrierReference ?? '', trackingCode, referenceOf(posted), task.event);
}
