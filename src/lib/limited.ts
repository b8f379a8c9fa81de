/** Runs work with at most so many under way at once; the others wait in the order in which they came. */
export type Limit = <T>(work: () => Promise<T>) => Promise<T>;

/** A limit of its own for each call. */
export function createLimit(atOnce: number): Limit {
  const waiting: (() => void)[] = [];
  let free = atOnce;
  return async (work) => {
    if (free > 0) free -= 1;
    else await new Promise<void>((resolve) => waiting.push(resolve));
    try {
      return await work();
    } finally {
      const next = waiting.shift();
      // A place is handed on, not given back: nobody can come in between.
      if (next === undefined) free += 1;
      else next();
    }
  };
}
