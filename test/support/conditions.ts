import { patient } from './patience.js';

const LEAST_PAUSE_MS = 20;
const LONGEST_PAUSE_MS = 200;

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

/** Resolves when 25 s at least are left of the minute in which rate limits count, so that a test does not cross its end. */
export async function earlyInTheMinute(): Promise<void> {
  await eventually(() => Date.now() % 60_000 < 35_000, 'a new minute');
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
