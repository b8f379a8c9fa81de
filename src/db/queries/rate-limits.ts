import type { Executor } from '../database.js';
import type { Selected } from '../selection.js';
import { placeholders } from '../sql.js';
import { rateLimits } from '../tables/index.js';

const COUNT = rateLimits.pick('keyHash', 'hits');

/** The count of one key. `keyHash` has 32 bytes. */
type KeyCount = Selected<typeof COUNT>;

/** The maximum of the column, an unsigned INT; far above every limit. */
const MOST_HITS = 4_294_967_295;

/**
 * Adds to the counts of keys in one window (its start in Unix seconds) and returns their totals over all processes: two
 * statements for all keys.
 */
export async function addHits(
  db: Executor,
  { windowStart, counts }: { windowStart: number; counts: readonly KeyCount[] },
): Promise<KeyCount[]> {
  // A fixed order prevents deadlocks between processes that add to the same keys.
  const sorted = counts.toSorted((one, other) => Buffer.compare(one.keyHash, other.keyHash));
  await rateLimits.insertText(
    db,
    sorted.map(({ keyHash, hits }) => ({ keyHash, windowStart, hits: Math.min(hits, MOST_HITS) })),
    `ON DUPLICATE KEY UPDATE hits = LEAST(hits + VALUES(hits), ${MOST_HITS})`,
  );
  return await COUNT.select(
    db,
    `FROM rate_limits WHERE key_hash IN (${placeholders(sorted.length)}) AND window_start = ?`,
    [...sorted.map(({ keyHash }) => keyHash), windowStart],
  );
}

/** Deletes windows that began before that time (Unix seconds), `chunk` per statement; returns how many. */
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
