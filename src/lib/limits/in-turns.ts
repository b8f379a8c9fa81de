/**
 * Runs a limited number of tasks at a time. The waiting keys take turns, one task each; tasks of a key run first in,
 * first out.
 */
export type Limit = <T>(work: () => Promise<T>, key?: unknown) => Promise<T>;

/** A new limit of `atOnce` tasks. */
export function createLimit(atOnce: number): Limit {
  const waiting = new Map<unknown, (() => void)[]>();
  let free = atOnce;
  return async (work, key) => {
    if (free > 0) free -= 1;
    else await new Promise<void>((resolve) => enqueue(waiting, key, resolve));
    try {
      return await work();
    } finally {
      const next = takeNext(waiting);
      // The place is passed on, not released: no other task can take it.
      if (next === undefined) free += 1;
      else next();
    }
  };
}

function enqueue(waiting: Map<unknown, (() => void)[]>, key: unknown, start: () => void): void {
  const own = waiting.get(key);
  if (own === undefined) waiting.set(key, [start]);
  else own.push(start);
}

/** The first task of the key that has waited longest; the key then goes to the end. */
function takeNext(waiting: Map<unknown, (() => void)[]>): (() => void) | undefined {
  for (const [key, own] of waiting) {
    const next = own.shift();
    waiting.delete(key);
    if (own.length > 0) waiting.set(key, own);
    return next;
  }
  return undefined;
}
