import type { Limit } from './in-turns.js';

/**
 * Runs work in the turns of a limit. Calls for the same key share work that has not begun; later ones run it again. So
 * no answer is older than its question, unlike with `sharedByKey`. `turnOf`: the key of the turn.
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
    // Deferred: a free limit begins at once, and the work must be in `waiting` before.
    const done = Promise.resolve().then(() => limit(begin, turnOf(question)));
    waiting.set(key, done);
    return done;
  };
}
