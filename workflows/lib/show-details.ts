import { setCurrentDetails } from '@temporalio/workflow';

/**
 * Shows Markdown in Current Details. Adds no event. The last line is empty, because the UI's frame hides part
 * of it.
 */
export function showDetails(text: string): void {
  setCurrentDetails(`${text}\n\n\u00a0`);
}

/** Formats as `2026-11-21 09:30 UTC`. `at`: milliseconds since 1970, or ISO 8601. */
export function utcMinute(at: number | string): string {
  return utc(at, 16);
}

/** Formats as `2026-11-21 09:30:15 UTC`. */
export function utcSecond(at: number | string): string {
  return utc(at, 19);
}

function utc(at: number | string, length: number): string {
  return `${new Date(at).toISOString().slice(0, length).replace('T', ' ')} UTC`;
}
