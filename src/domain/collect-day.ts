const DAY_MS = 86_400_000;
export const DAYS_AHEAD = 90;

/**
 * The day of collection in Asia/Jerusalem, Y-m-d: the requested one, or today if that has passed. Null when it
 * was too early or too late on the day of the request.
 */
export function dayToCome(
  day: string,
  { requested, today }: { requested: string; today: string },
): string | null {
  const ahead = (Date.parse(day) - Date.parse(requested)) / DAY_MS;
  // Shops send yesterday's day around midnight.
  if (ahead < -1 || ahead > DAYS_AHEAD) return null;
  return day < today ? today : day;
}
