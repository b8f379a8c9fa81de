/**
 * Runs work with so many pieces under way at once, at most. The others wait in the turns of their keys: one piece of each
 * key after another, those of a key in the order in which they came.
 */
export type Limit = <T>(work: () => Promise<T>, key?: unknown) => Promise<T>;

/** A limit of its own for each call. */
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
      // A place is handed on, not given back: nobody can come in between.
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

/** The first of the key that has waited longest for its turn; the key then goes behind the others. */
function takeNext(waiting: Map<unknown, (() => void)[]>): (() => void) | undefined {
  for (const [key, own] of waiting) {
    const next = own.shift();
    waiting.delete(key);
    if (own.length > 0) waiting.set(key, own);
    return next;
  }
  return undefined;
}
