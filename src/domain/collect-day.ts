const DAY_MS = 86_400_000;
/** Shops send yesterday's day around midnight, and plan for a season at most. */
const DAYS_BACK = 1;
const DAYS_AHEAD = 90;

/** The rule of {@link dayToCome} in words, behind the name of a field. */
export const COLLECT_DAY_RULE = `must be a day from yesterday to ${DAYS_AHEAD} days ahead`;

/**
 * The day on which the carrier should come, of days in Asia/Jerusalem, Y-m-d: the one asked for, or today where that is
 * over. Null where it was over, or too far ahead, on the day of the request.
 */
export function dayToCome(
  day: string,
  { requested, today }: { requested: string; today: string },
): string | null {
  const ahead = (Date.parse(day) - Date.parse(requested)) / DAY_MS;
  if (ahead < -DAYS_BACK || ahead > DAYS_AHEAD) return null;
  return day < today ? today : day;
}
