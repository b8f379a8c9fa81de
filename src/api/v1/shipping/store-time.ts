import { israelWallClock } from '../../../lib/time.js';

/** Israeli day of an instant (ISO 8601) in the stores' format d-m-Y. */
export function israelDay(iso: string): string {
  return israelWallClock(Date.parse(iso)).date.replaceAll('/', '-');
}

/** Israeli time of an instant (ISO 8601) in the plugin's format `d-m-Y g-i-s`, with twelve hours. */
export function israelTime(iso: string): string {
  const [hour = '', minute = '', second = ''] = israelWallClock(Date.parse(iso)).time.split(':');
  return `${israelDay(iso)} ${Number(hour) % 12 || 12}-${minute}-${second}`;
}
