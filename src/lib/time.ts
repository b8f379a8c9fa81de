export const HOUR_MS = 3_600_000;
export const DAY_MS = 24 * HOUR_MS;
export const DAY_SECONDS = 86_400;

/** A larger difference means the clock was stepped: anchor the fine clock again. */
const MAX_DRIFT_MS = 2;
let originMs = performance.timeOrigin;

/** Microseconds since 1970 by the system clock, with the fine clock's resolution. */
function nowMicros(): number {
  let ms = originMs + performance.now();
  if (Math.abs(ms - Date.now()) > MAX_DRIFT_MS) {
    originMs = Date.now() - performance.now();
    ms = originMs + performance.now();
  }
  return Math.floor(ms * 1000);
}

/** Now as `2026-11-21T09:30:00.123456Z`. */
export function nowIso(): string {
  return microsToIso(nowMicros());
}

/** The time `seconds` from now, as ISO 8601 UTC with microseconds. */
export function isoAfter(seconds: number): string {
  return microsToIso(nowMicros() + Math.round(seconds * 1_000_000));
}

function microsToIso(micros: number): string {
  const seconds = new Date(Math.floor(micros / 1_000_000) * 1000).toISOString().slice(0, 19);
  return `${seconds}.${String(micros % 1_000_000).padStart(6, '0')}Z`;
}

/** Shared: creating a formatter is expensive. */
const jerusalem = new Intl.DateTimeFormat('en-CA', { timeZone: 'Asia/Jerusalem' });

/** Y-m-d in Asia/Jerusalem. */
export function dayInJerusalem(at: Date): string {
  return jerusalem.format(at);
}

/** `2026-11-21T09:30:00.123456Z` → `2026-11-21 09:30:00.123456`, as DATETIME(6) takes it. */
export function isoToSql(iso: string): string {
  return iso.replace('T', ' ').replace('Z', '');
}

/** The reverse of {@link isoToSql}; a DATETIME without fraction gets six zeros. */
export function sqlToIso(sql: string): string {
  if (sql.length === 26) return `${sql.slice(0, 10)}T${sql.slice(11)}Z`;
  const [seconds = '', fraction = ''] = sql.split('.');
  return `${seconds.replace(' ', 'T')}.${fraction.padEnd(6, '0')}Z`;
}

const wallClock = new Intl.DateTimeFormat('en-GB', {
  timeZone: 'Asia/Jerusalem',
  hourCycle: 'h23',
  year: 'numeric',
  month: '2-digit',
  day: '2-digit',
  hour: '2-digit',
  minute: '2-digit',
  second: '2-digit',
});

/** Israeli local date (`DD/MM/YYYY`) and time (`HH:MM:SS`) of an instant (ms since 1970). */
export function israelWallClock(instantMs: number): { date: string; time: string } {
  const [date = '', time = ''] = wallClock.format(instantMs).split(', ');
  return { date, time };
}
