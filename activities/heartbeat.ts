import { heartbeat } from '@temporalio/activity';
import { LIMITS } from '../src/lib/limits/values.js';

/**
 * Runs `work` with a heartbeat every second that repeats the last details, so that dead workers are detected
 * and cancellations arrive. `beat` reports progress to the Temporal UI and the next try. `keep` does so with the next
 * heartbeat, or when the work fails: quick work then costs no call.
 */
export async function withHeartbeat<T>(
  work: (beat: (details: unknown) => void, keep: (details: unknown) => void) => Promise<T>,
): Promise<T> {
  let details: unknown;
  let isKept = false;
  const timer = setInterval(() => heartbeat(details), LIMITS.worker.heartbeatMs);
  try {
    return await work(
      (next) => {
        details = next;
        heartbeat(details);
      },
      (next) => {
        details = next;
        isKept = true;
      },
    );
  } catch (error) {
    if (isKept) heartbeat(details);
    throw error;
  } finally {
    clearInterval(timer);
  }
}
