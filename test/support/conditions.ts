import { patient } from './patience.js';

const LEAST_PAUSE_MS = 20;
const LONGEST_PAUSE_MS = 200;
const MINUTE_MS = 60_000;

/**
 * Polls until the probe returns something other than undefined, null or false, for up to `limitMs` of an idle
 * machine. Intervals grow to a tenth of the elapsed time, because probes take CPU from the system under test.
 */
export async function eventually<T>(
  probe: () => Promise<T | undefined | null | false> | T | undefined | null | false,
  what: string,
  limitMs = 30_000,
): Promise<T> {
  const startedAt = Date.now();
  for (;;) {
    const value = await probe();
    if (value !== undefined && value !== null && value !== false) return value;
    const waitedMs = Date.now() - startedAt;
    if (waitedMs > patient(limitMs)) throw new Error(`waited ${waitedMs} ms in vain for ${what}`);
    const pauseMs = Math.min(Math.max(LEAST_PAUSE_MS, waitedMs / 10), LONGEST_PAUSE_MS);
    await new Promise((resolve) => setTimeout(resolve, pauseMs));
  }
}

/** Resolves when the rate limits' present minute has that much time left, so that a test does not run across its end. */
export async function earlyInTheMinute(leftMs = 25_000): Promise<void> {
  await eventually(() => MINUTE_MS - (Date.now() % MINUTE_MS) > leftMs, 'a new minute', 2 * leftMs);
}

/**
 * The answer to a creation that a worker has begun. An API whose wait is short answers 503 until then, and a repeat
 * joins the creation.
 */
export async function onceBegun<A extends { status: number }>(create: () => Promise<A>): Promise<A> {
  return await eventually(async () => {
    const answer = await create();
    return answer.status !== 503 && answer;
  }, 'a worker to begin the creation');
}
