import { heartbeat } from '@temporalio/activity';
import { LIMITS } from '../src/lib/limits/values.js';

/** Says how far the work is; the Temporal UI shows it, and the next try can read it. */
export type Beat = (details: unknown) => void;

/**
 * Runs `work` with a heartbeat each second, which repeats the last details: a dead worker is noticed soon, and a
 * cancellation arrives.
 */
export async function withHeartbeat<T>(work: (beat: Beat) => Promise<T>): Promise<T> {
  let details: unknown;
  const timer = setInterval(() => heartbeat(details), LIMITS.worker.heartbeatMs);
  try {
    return await work((next) => {
      details = next;
      heartbeat(details);
    });
  } finally {
    clearInterval(timer);
  }
}
