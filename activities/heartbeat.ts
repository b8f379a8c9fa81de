import { heartbeat } from '@temporalio/activity';
import { LIMITS } from '../src/lib/limits/values.js';

/** Reports progress to the Temporal UI and the next try. */
type Beat = (details: unknown) => void;

/**
 * Runs `work` with a heartbeat every second that repeats the last details, so that dead workers are detected
 * and cancellations arrive.
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
