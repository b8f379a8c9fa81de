import type { Limit } from './in-turns.js';

/**
 * Works in the turns of a limit, and once for those who ask for the same before it has begun. Who asks later has it done
 * anew: no answer is older than its question, as one of `sharedByKey` may be. `turnOf`: whose turn it takes.
 */
export function sharedUntilBegun<Q, T>(
  limit: Limit,
  work: (question: Q) => Promise<T>,
  { keyOf, turnOf }: { keyOf(question: Q): string; turnOf(question: Q): unknown },
): (question: Q) => Promise<T> {
  const waiting = new Map<string, Promise<T>>();
  return (question) => {
    const key = keyOf(question);
    const known = waiting.get(key);
    if (known !== undefined) return known;
    const begin = () => {
      waiting.delete(key);
      return work(question);
    };
    // A free limit begins within the call: the work must be among the waiting before.
    const done = Promise.resolve().then(() => limit(begin, turnOf(question)));
    waiting.set(key, done);
    return done;
  };
}
