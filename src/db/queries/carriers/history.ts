const SAME_EVENT_MS = 60_000;
const ANOTHER_TIME_MS = 43_200_000;

/** A status that a carrier told: an entry of a parcel's history, or a report. `occurredAt`: ISO 8601 UTC. */
export interface Told {
  occurredAt: string;
  /** The carrier's own code. */
  carrierCode: string;
}

/**
 * Whether the entry before or after a report's time already says how the parcel stood then. Carriers tell the same
 * status by poll and by webhook, each dated when it was asked or arrived. A webhook tells of a change, so that one of
 * another day is another occurrence. `entries`: oldest first.
 */
export function isStateTold(entries: readonly Told[], report: Told, road: 'poll' | 'webhook'): boolean {
  const before = entries.findLast(({ occurredAt }) => occurredAt <= report.occurredAt);
  const after = entries.find(({ occurredAt }) => occurredAt > report.occurredAt);
  return [before, after].some((entry) => entry !== undefined && isSameState(entry, report, road));
}

/** Whether two neighbors in time are one status. */
export function isSameState(entry: Told, report: Told, road: 'poll' | 'webhook'): boolean {
  if (entry.carrierCode !== report.carrierCode) return false;
  return road === 'poll' || msBetween(entry, report) < ANOTHER_TIME_MS;
}

/**
 * The reports of dated events that no entry tells, in their order. Systems of one carrier date the same event to the
 * second and to the minute, so an entry of about the same time tells one; each entry tells one report only.
 */
export function untold<T extends Told>(entries: readonly Told[], reports: readonly T[]): T[] {
  const isExact = (one: Told) => (other: Told) =>
    one.occurredAt === other.occurredAt && one.carrierCode === other.carrierCode;
  const left = entries.filter((entry) => !reports.some(isExact(entry)));
  return reports.filter((report) => {
    if (entries.some(isExact(report))) return false;
    const at = left.findIndex(
      (entry) => entry.carrierCode === report.carrierCode && msBetween(entry, report) < SAME_EVENT_MS,
    );
    if (at >= 0) left.splice(at, 1);
    return at < 0;
  });
}

function msBetween(one: Told, other: Told): number {
  return Math.abs(Date.parse(one.occurredAt) - Date.parse(other.occurredAt));
}
