const wallClock = new Intl.DateTimeFormat('en-GB', {
  timeZone: 'Asia/Jerusalem',
  hourCycle: 'h23',
  year: 'numeric',
  month: '2-digit',
  day: '2-digit',
  hour: 'numeric',
  minute: '2-digit',
  second: '2-digit',
});

/** The day of an instant (ISO 8601) in Israel, as stores write it: d-m-Y. */
export function israelDay(iso: string): string {
  const { day, month, year } = partsOf(iso);
  return `${day}-${month}-${year}`;
}

/** Day and time of an instant (ISO 8601) in Israel, as the stores' plugin writes them: `d-m-Y g-i-s`, of twelve hours. */
export function israelTime(iso: string): string {
  const { hour, minute, second } = partsOf(iso);
  return `${israelDay(iso)} ${Number(hour) % 12 || 12}-${minute}-${second}`;
}

function partsOf(iso: string): Partial<Record<Intl.DateTimeFormatPartTypes, string>> {
  return Object.fromEntries(wallClock.formatToParts(new Date(iso)).map(({ type, value }) => [type, value]));
}
