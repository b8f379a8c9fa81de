import { validationError } from '../../../domain/errors.js';
import { problemAt } from '../../../domain/problems/problem.js';

const DAY = /^\d{4}-\d{2}-\d{2}$/;
const MOMENT =
  /^(\d{4}-\d{2}-\d{2})[T ](\d{2}:\d{2}(?::\d{2})?)(?:\.(\d{1,6})\d*)? ?(?:Z|([+-]\d{2}):?(\d{2})?)(?:\[[^\]]*\])?$/i;

/**
 * A query's time as ISO 8601 UTC with microseconds. A day means its first microsecond, or its last for `end`.
 * @throws AppError `validation_failed` at `field`
 */
export function toMoment(field: string, text: string, end: boolean): string {
  const day = DAY.test(text) ? `${text}T${end ? '23:59:59.999999' : '00:00:00.000000'}Z` : text;
  const match = MOMENT.exec(day);
  const [, calendar = '', time = '', fraction = '', hours = '+00', minutes = '00'] = match ?? [];
  const date = new Date(`${calendar}T${time}${hours}:${minutes}`);
  const isReal = match !== null && !Number.isNaN(date.getTime()) && isCalendarDay(calendar);
  const iso = isReal ? date.toISOString() : '';
  if (!/^[1-9]\d{3}-/.test(iso)) {
    throw validationError({ [field]: [problemAt(field, 'moment')] });
  }
  return `${iso.slice(0, 19)}.${fraction.padEnd(6, '0')}Z`;
}

/** Rejects 30 February, which `Date` moves to March. */
function isCalendarDay(day: string): boolean {
  const date = new Date(`${day}T00:00:00Z`);
  return !Number.isNaN(date.getTime()) && date.toISOString().startsWith(day);
}
