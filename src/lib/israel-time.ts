import { dayInJerusalem, HOUR_MS, israelWallClock } from './time.js';

/**
 * A carrier's local date (`DD/MM/YYYY`) and time (`HH:MM[:SS]`; empty means midnight) as ISO 8601 UTC with
 * microseconds; null when unreadable. The hour repeated in autumn is read as the first one.
 */
export function israelToIso(date: string, time: string): string | null {
  const day = /^(\d{1,2})\/(\d{1,2})\/(\d{4})$/.exec(date.trim());
  const clock = /^(\d{1,2}):(\d{2})(?::(\d{2}))?$/.exec(time.trim() === '' ? '00:00' : time.trim());
  if (day === null || clock === null) return null;
  const [, dd, mm, yyyy] = day.map(Number);
  const [, hours, minutes, seconds] = clock.map((part) => (part === undefined ? 0 : Number(part)));
  const local = [yyyy, mm, dd, hours, minutes, seconds ?? 0].map((part) => part ?? 0);
  const [y = 0, mo = 0, d = 0, h = 0, mi = 0, s = 0] = local;
  if (h > 23 || mi > 59 || s > 59) return null;
  const asUtc = Date.UTC(y, mo - 1, d, h, mi, s);
  const check = new Date(asUtc);
  if (check.getUTCDate() !== d || check.getUTCMonth() !== mo - 1) return null;
  const summer = asUtc - 3 * HOUR_MS;
  const instant = offsetHours(summer) === 3 ? summer : asUtc - 2 * HOUR_MS;
  return new Date(instant).toISOString().replace('Z', '000Z');
}

/** `YYYY-MM-DD` as `DD/MM/YYYY`; empty when the text is no date. */
export function toSlashDate(day: string): string {
  const parts = /^(\d{4})-(\d{2})-(\d{2})$/.exec(day);
  return parts === null ? '' : `${parts[3]}/${parts[2]}/${parts[1]}`;
}

function offsetHours(instantMs: number): number {
  const { date, time } = israelWallClock(instantMs);
  const [dd = 0, mm = 0, yyyy = 0] = date.split('/').map(Number);
  const [h = 0, mi = 0, s = 0] = time.split(':').map(Number);
  return Math.round((Date.UTC(yyyy, mm - 1, dd, h, mi, s) - instantMs) / HOUR_MS);
}

/** The first microsecond of a day in Israel, `YYYY-MM-DD`, as ISO 8601 UTC; null when the text is no day. */
export function israelDayStart(day: string): string | null {
  return israelToIso(toSlashDate(day), '');
}

/** The last microsecond of a day in Israel, as {@link israelDayStart}. */
export function israelDayEnd(day: string): string | null {
  return israelToIso(toSlashDate(day), '23:59:59')?.replace('.000000Z', '.999999Z') ?? null;
}

/** The day in Israel, `YYYY-MM-DD`, on which a moment (ISO 8601 with a zone) is shown. */
export function israelDayOf(iso: string): string {
  return dayInJerusalem(new Date(iso));
}
