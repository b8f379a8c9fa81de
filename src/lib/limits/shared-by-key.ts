/**
 * Concurrent calls for the same key share one answer. Nothing is kept: a call after the answer asks again. An answer
 * may date from shortly before the call, so use this for data that the caller cannot have changed.
 */
export function sharedByKey<Q, T>(
  ask: (question: Q) => Promise<T>,
  keyOf: (question: Q) => unknown = (question) => question,
): (question: Q) => Promise<T> {
  const underWay = new Map<unknown, Promise<T>>();
  return (question) => {
    const key = keyOf(question);
    const known = underWay.get(key);
    if (known !== undefined) return known;
    const asked = ask(question).finally(() => underWay.delete(key));
    underWay.set(key, asked);
    return asked;
  };
}
