/**
 * When the engine makes the next try, as a carrier asked for it. A pause of nothing, which a carrier names whose clock is
 * behind ours, ends the tries of the engine for good: the usual pause does then.
 */
export function afterPause(waitMs: number | undefined): { nextRetryDelay?: number } {
  return waitMs !== undefined && waitMs > 0 ? { nextRetryDelay: waitMs } : {};
}
