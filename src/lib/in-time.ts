import { setTimeout as delay } from 'node:timers/promises';

/** The work's result. @throws what `late` gives when it takes longer than `limitMs`; it goes on unwatched then. */
export async function inTime<T>(limitMs: number, work: Promise<T>, late: () => Error): Promise<T> {
  const stop = new AbortController();
  const over = delay(limitMs, undefined, { signal: stop.signal, ref: false }).then(() => {
    throw late();
  });
  try {
    return await Promise.race([work, over]);
  } finally {
    work.catch(() => undefined);
    over.catch(() => undefined);
    stop.abort();
  }
}
