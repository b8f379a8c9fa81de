import type { WakeTarget } from '../../../contracts/wake.js';
import { eventsOfChange } from '../../../domain/events.js';
import type { ShipmentRecord } from '../../../domain/shipment.js';
import {
  isActive,
  isDelivered,
  isFinal,
  isInHand,
  nextStatus,
  type StatusCode,
  statusName,
} from '../../../domain/statuses.js';
import { LIMITS } from '../../../lib/limits/values.js';
import { cutText } from '../../../lib/text.js';
import { isoAfter } from '../../../lib/time.js';
import type { Executor } from '../../database.js';
import { type Selected, shape } from '../../selection.js';
import { shipmentEvents, shipments } from '../../tables/index.js';
import type { ChangesOf } from '../../tables/table.js';
import { countStatusChange } from '../shipments/shipment-counts.js';
import { recordEvents } from '../webhooks/events.js';
import { isSameState, isStateTold, untold } from './history.js';

const s = shipments.as('s');
const KNOWN = shipmentEvents.pick('occurredAt', 'carrierCode');
const LOCKED = shape({
  accountId: s.accountId,
  licenseId: s.licenseId,
  state: s.state,
  before: shape({ code: s.statusCode, description: s.statusDescription, at: s.statusAt }),
  serviceType: s.serviceType,
  collectedAt: s.collectedAt,
  checkedAt: s.checkedAt,
  nextPollAt: s.nextPollAt,
  updatedAt: s.updatedAt,
});
type Locked = Selected<typeof LOCKED>;

/** One event that the carrier reported. `occurredAt`: ISO 8601 UTC with microseconds. */
export interface ReadEvent {
  /** Undefined when the carrier's code is not in the adapter's table. */
  code: StatusCode | undefined;
  carrierCode: string;
  carrierDescription: string;
  occurredAt: string;
  location: string | null;
  /** The event states only how the parcel stands now: a repetition is no news, and it counts whatever its time. */
  isCurrent?: boolean;
  /** Newer news came since: such a state says how the parcel stood then. */
  isOvertaken?: boolean;
}

/** The result of one poll or webhook. */
export interface Reading {
  shipmentId: number;
  /** When the carrier was asked, not when it answered: later webhooks are newer. ISO 8601 UTC with microseconds. */
  checkedAt: string;
  /** Oldest first. */
  events: readonly ReadEvent[];
  /** The events are single ones, not the full history: an unknown code keeps the present status. */
  isPartial?: boolean;
  /** Next poll by the resulting status; null for never. Not called for a final status. */
  nextPollAt: (status: StatusCode) => string | null;
}

/** The change of the shipment's status, if any, and who delivers its events. */
interface ReadingResult {
  changed: boolean;
  previous: StatusCode;
  current: StatusCode;
  wake: WakeTarget[];
}

/**
 * Adds new events to the history and moves the shipment's status by the domain's rule. Must run inside a transaction:
 * it locks the shipment's row first, which serializes readings. Recording a reading again changes only `checked_at` and
 * `next_poll_at`, which never touch `updated_at`. When newer events arrived after the carrier was asked, the older
 * state does not count, and the carrier is polled again.
 * @throws Error when there is no such shipment
 */
export async function recordReading(tx: Executor, asked: Reading): Promise<ReadingResult> {
  const row = await LOCKED.first(tx, 'FROM shipments s WHERE s.id = ? FOR UPDATE', [asked.shipmentId]);
  if (row === null) throw new Error(`Shipment ${asked.shipmentId} does not exist.`);
  const { before, accountId, licenseId } = row;
  const overtaken = isOvertaken(row, asked);
  // The newer events may themselves be late: poll again at once.
  const reading = overtaken ? { ...asked, nextPollAt: () => row.nextPollAt } : asked;
  const { events: told } = reading;
  const entries = told.length === 0 ? [] : await entriesOf(tx, reading.shipmentId);
  const { status, events } = apply(
    before,
    newsOf(reading, { before, entries, overtaken }),
    reading.isPartial,
  );
  const endsIt = isFinal(status.code) && !isFinal(before.code);
  await insertNewEvents(tx, reading.shipmentId, { entries, events, endsIt });
  await updateShipment(tx, { row, status, events, reading });
  await countStatusChange(tx, { ...row, status: before.code }, status.code);
  const wake = await recordEvents(tx, {
    accountId,
    licenseId,
    shipmentId: reading.shipmentId,
    events: eventsOfChange(before.code, status),
  });
  return { changed: status.code !== before.code, previous: before.code, current: status.code, wake };
}

/**
 * Whether newer events arrived since the carrier was asked. A time far in the future comes from a wrong clock and is
 * ignored: else the parcel would be polled repeatedly until then.
 */
function isOvertaken({ checkedAt: newest }: Locked, { checkedAt, events }: Reading): boolean {
  // Clocks of hosts and of the database differ by less.
  if (newest === null || newest > isoAfter(60)) return false;
  return newest > checkedAt && events.some((event) => event.isCurrent);
}

type Entry = Selected<typeof KNOWN>;

async function entriesOf(tx: Executor, shipmentId: number): Promise<Entry[]> {
  return await KNOWN.select(tx, 'FROM shipment_events WHERE shipment_id = ? ORDER BY occurred_at, id', [
    shipmentId,
  ]);
}

/** A reported event. `isEntry`: unset where the history tells it already. */
type News = ReadEvent & { isEntry: boolean };

/**
 * Leaves out states that the history tells already, and dates what holds now so that it counts. A state that newer news
 * have overtaken keeps its time.
 */
function newsOf(
  { events, isPartial = false }: Reading,
  {
    before,
    entries,
    overtaken,
  }: { before: ShipmentRecord['status']; entries: readonly Entry[]; overtaken: boolean },
): News[] {
  const road = isPartial ? 'webhook' : 'poll';
  const reports = events.map((event) => ({ ...event, carrierCode: cutText(event.carrierCode, 64) }));
  const told = entries.filter(({ carrierCode }) => carrierCode !== '');
  const dated = new Set(
    untold(
      told,
      reports.filter((report) => !report.isCurrent),
    ),
  );
  return reports.flatMap((report) => {
    if (!report.isCurrent) return [{ ...report, isEntry: dated.has(report) }];
    const isEntry = !isStateTold(told, report, road);
    if (overtaken || report.isOvertaken) {
      if (isEntry) remember(told, report);
      return isEntry ? [{ ...report, isEntry }] : [];
    }
    const newest = told.at(-1);
    // A status that we set since then gives way to the carrier's word again.
    const isHeld = before.code !== 'needs_attention';
    if (newest !== undefined && isHeld && isSameState(newest, report, road)) return [];
    const news = { ...report, isEntry, occurredAt: later(report.occurredAt, before.at) };
    if (isEntry) remember(told, news);
    return [news];
  });
}

/** Of several reports in one reading, each is compared with those before it too. */
function remember(told: Entry[], { occurredAt, carrierCode }: ReadEvent): void {
  const at = told.findLastIndex((entry) => entry.occurredAt <= occurredAt);
  told.splice(at + 1, 0, { occurredAt, carrierCode });
}

function later(one: string, other: string): string {
  return one > other ? one : other;
}

type Status = ShipmentRecord['status'];
type KnownEvent = Omit<News, 'code'> & { code: StatusCode; description: string };

/** The status after all events, and each event with a known code: an unknown one keeps the previous code. */
function apply(
  before: Status,
  reported: readonly News[],
  isPartial = false,
): { status: Status; events: KnownEvent[] } {
  let status = before;
  let known: StatusCode = isPartial || reported[0]?.isCurrent ? before.code : 'created';
  const events = reported.map((event) => {
    known = event.code ?? known;
    const description = event.carrierDescription || (event.code ? statusName(event.code) : event.carrierCode);
    status = nextStatus(status, { code: event.code, description, occurredAt: event.occurredAt });
    return { ...event, code: known, description };
  });
  return { status, events };
}

/** Compared before: most polls bring nothing new, and a refused insert would still use up an id. */
async function insertNewEvents(
  tx: Executor,
  shipmentId: number,
  { entries, events, endsIt }: { entries: readonly Entry[]; events: readonly KnownEvent[]; endsIt: boolean },
): Promise<void> {
  const room = Math.max(0, LIMITS.polling.events - entries.length);
  // The final event is always kept.
  const kept = events
    .filter(({ isEntry }) => isEntry)
    .filter(({ code }, index) => index < room || (endsIt && isFinal(code)));
  await shipmentEvents.insertAll(
    tx,
    kept.map(({ code, description, occurredAt, carrierCode, carrierDescription, location }) => ({
      shipmentId,
      code,
      description: cutText(description, 500),
      occurredAt,
      carrierCode,
      carrierDescription: cutText(carrierDescription, 500) || null,
      location: location === null ? null : cutText(location, 255),
    })),
    { replacing: ['code'] },
  );
}

async function updateShipment(
  tx: Executor,
  args: { row: Locked; status: Status; events: readonly KnownEvent[]; reading: Reading },
): Promise<void> {
  const { row, status, events, reading } = args;
  const visible = visibleChanges(row, status, events);
  const nextPollAt = isFinal(status.code) ? null : reading.nextPollAt(status.code);
  const checkedAt = row.checkedAt ?? reading.checkedAt;
  await shipments.update(
    tx,
    { id: reading.shipmentId, accountId: undefined },
    {
      ...visible,
      statusAt: status.at,
      checkedAt: checkedAt > reading.checkedAt ? checkedAt : reading.checkedAt,
      nextPollAt,
      // Without it every poll would move the row in lists sorted by updated_at.
      updatedAt: Object.keys(visible).length === 0 ? row.updatedAt : undefined,
    },
  );
}

/** The visible changes of the reading. */
function visibleChanges(
  { before, collectedAt, serviceType }: Locked,
  status: Status,
  events: readonly KnownEvent[],
): ChangesOf<typeof shipments> {
  const inHand = events.find((event) => isInHand(event.code));
  // Webhooks arrive in any order: a delivery recorded first must not count as the collection.
  const isCollected = inHand !== undefined && (collectedAt === null || inHand.occurredAt < collectedAt);
  const isMoved = status.code !== before.code;
  const isTold = isMoved || status.description !== before.description;
  return {
    ...(isTold ? { statusCode: status.code, statusDescription: cutText(status.description, 500) } : {}),
    ...(isCollected ? { collectedAt: inHand.occurredAt } : {}),
    ...(isCollected && serviceType === 2 ? { collectionStatus: 'collected' } : {}),
    ...(isMoved && isDelivered(status.code) ? { deliveredAt: status.at } : {}),
    ...(isMoved && status.code === 'cancelled' ? { cancelledAt: status.at } : {}),
    ...(isMoved && !isActive(status.code) ? { isActive: false } : {}),
  };
}
