import type { Executor } from '../database.js';

/**
 * Counts a hit in the current window and gives the window's hits so far, this one included: one atomic statement,
 * so that processes share the count. `keyHash` has 32 bytes.
 */
export async function countHit(
  db: Executor,
  args: { keyHash: Buffer; windowSeconds: number; nowSeconds: number },
): Promise<number> {
  const windowStart = Math.floor(args.nowSeconds / args.windowSeconds) * args.windowSeconds;
  const { insertId } = await db.run(
    `INSERT INTO rate_limits (key_hash, window_start, hits) VALUES (?, ?, LAST_INSERT_ID(1))
     ON DUPLICATE KEY UPDATE hits = LAST_INSERT_ID(hits + 1)`,
    [args.keyHash, windowStart],
  );
  return insertId;
}

/** Deletes windows that began before that time (Unix seconds), `chunk` a statement, and tells how many. */
export async function deleteOldWindows(db: Executor, beforeSeconds: number, chunk = 10_000): Promise<number> {
  let total = 0;
  for (;;) {
    const { affectedRows } = await db.run(
      'DELETE FROM rate_limits WHERE window_start < ? ORDER BY window_start LIMIT ?',
      [Math.floor(beforeSeconds), chunk],
    );
    total += affectedRows;
    if (affectedRows < chunk) return total;
  }
}
