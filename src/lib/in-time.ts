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

/**
 * Does the work with a signal that fires after `limitMs`, or with `outer`. Not AbortSignal.any or .timeout: Node 20
 * may collect such a signal before it fires.
 */
export async function withDeadline<T>(
  limitMs: number,
  outer: AbortSignal | undefined,
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const controller = new AbortController();
  const abort = () => controller.abort();
  // One turn later: after a stall, an answer that is already in the socket is read first.
  const timer = setTimeout(() => setImmediate(abort), limitMs);
  outer?.addEventListener('abort', abort, { once: true });
  try {
    return await work(controller.signal);
  } finally {
    clearTimeout(timer);
    outer?.removeEventListener('abort', abort);
  }
}
