import { setTimeout as delay } from 'node:timers/promises';

/** Awaits the work. @throws the error of `late` after `limitMs`; the work then continues unobserved. */
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
