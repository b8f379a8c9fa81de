import { israelWallClock } from '../../../lib/time.js';

/** The day of an instant (ISO 8601) in Israel, as stores write it: d-m-Y. */
export function israelDay(iso: string): string {
  return israelWallClock(Date.parse(iso)).date.replaceAll('/', '-');
}

/** Day and time of an instant (ISO 8601) in Israel, as the stores' plugin writes them: `d-m-Y g-i-s`, of twelve hours. */
export function israelTime(iso: string): string {
  const [hour = '', minute = '', second = ''] = israelWallClock(Date.parse(iso)).time.split(':');
  return `${israelDay(iso)} ${Number(hour) % 12 || 12}-${minute}-${second}`;
}
