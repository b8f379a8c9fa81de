import { heartbeat } from '@temporalio/activity';
import { LIMITS } from '../src/lib/limits/values.js';

/**
 * Runs `work` with a heartbeat every second that repeats the last details, so that dead workers are detected
 * and cancellations arrive. `beat` reports progress to the Temporal UI and the next try.
 */
export async function withHeartbeat<T>(work: (beat: (details: unknown) => void) => Promise<T>): Promise<T> {
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
