const DAY = /^([1-9]\d{3}-\d{2}-\d{2})$/;
const INSTANT =
  /^([1-9]\d{3}-\d{2}-\d{2})[T ](\d{2}:\d{2})(?::(\d{2})(?:\.(\d{1,6}))?)?(Z|[+-]\d{2}:\d{2})?$/;
/** Completes a coarse text, so that a bound includes the whole day, minute or second. */
const FILL = {
  first: { time: '00:00:00', second: '00', digit: '0' },
  last: { time: '23:59:59', second: '59', digit: '9' },
};

/**
 * Parses a day (Y-m-d, UTC) or an instant (ISO 8601; UTC by default) to its first or last microsecond as ISO
 * 8601 UTC. Null when it is neither.
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
  // Rejects days that rolled over to the next month, and years beyond four digits.
  if (iso.length !== 24 || (seconds.endsWith('Z') && !iso.startsWith(seconds.slice(0, 19)))) return null;
  return `${iso.slice(0, 19)}.${micros}Z`;
}
