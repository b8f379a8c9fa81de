const DAY = /^([1-9]\d{3}-\d{2}-\d{2})$/;
const INSTANT =
  /^([1-9]\d{3}-\d{2}-\d{2})[T ](\d{2}:\d{2})(?::(\d{2})(?:\.(\d{1,6}))?)?(Z|[+-]\d{2}:\d{2})?$/;
/** What a coarser text is filled up with, so that a bound includes all that it names. */
const FILL = {
  first: { time: '00:00:00', second: '00', digit: '0' },
  last: { time: '23:59:59', second: '59', digit: '9' },
};

/**
 * A day (Y-m-d, in UTC) or an instant (ISO 8601; UTC where it names no zone) as its first or last microsecond: ISO 8601
 * UTC. Null when it is neither.
 */
export function instantOf(text: string, edge: 'first' | 'last'): string | null {
  const fill = FILL[edge];
  const day = DAY.exec(text)?.[1];
  if (day !== undefined) return utc(`${day}T${fill.time}Z`, ''.padEnd(6, fill.digit));
  const [, date = '', minutes = '', second, fraction = '', zone = 'Z'] = INSTANT.exec(text) ?? [];
  if (date === '' || utc(`${date}T00:00:00Z`, '') === null) return null;
  return utc(`${date}T${minutes}:${second ?? fill.second}${zone}`, fraction.padEnd(6, fill.digit));
}

function utc(seconds: string, micros: string): string | null {
  const at = new Date(seconds);
  if (Number.isNaN(at.getTime())) return null;
  const iso = at.toISOString();
  // A day that the month does not have moves on, and a zone can leave the years that have four digits.
  if (iso.length !== 24 || (seconds.endsWith('Z') && !iso.startsWith(seconds.slice(0, 19)))) return null;
  return `${iso.slice(0, 19)}.${micros}Z`;
}
