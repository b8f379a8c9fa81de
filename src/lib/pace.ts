import { setTimeout as delay } from 'node:timers/promises';
import { Turns } from './turns.js';

/** Spreads starts evenly, at most `perSecond` of them; each call resolves when it may start. */
export function createPace(perSecond: number): () => Promise<void> {
  const turns = new Turns({ burst: 1, everyMs: 1000 / perSecond });
  return async () => {
    const waitMs = turns.take(0);
    if (waitMs > 0) await delay(waitMs);
  };
}
