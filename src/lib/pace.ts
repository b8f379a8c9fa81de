import { setTimeout as delay } from 'node:timers/promises';

/** Spreads starts evenly, at most `perSecond` of them; each call resolves when it may start. */
export function createPace(perSecond: number): () => Promise<void> {
  const everyMs = 1000 / perSecond;
  let nextAt = 0;
  return async () => {
    const now = performance.now();
    const at = Math.max(now, nextAt);
    nextAt = at + everyMs;
    if (at > now) await delay(at - now);
  };
}
