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

/** Caches a value per owner, made on first use, for the owner's lifetime. */
export function oncePer<O extends object, T>(make: (owner: O) => T): (owner: O) => T {
  const made = new WeakMap<O, { value: T }>();
  return (owner) => {
    const known = made.get(owner) ?? { value: make(owner) };
    made.set(owner, known);
    return known.value;
  };
}

/** {@link sharedByKey} per owner. */
export function sharedPer<O extends object, Q, T>(
  ask: (owner: O, question: Q) => Promise<T>,
  keyOf?: (question: Q) => unknown,
): (owner: O, question: Q) => Promise<T> {
  const sharedBy = oncePer((owner: O) => sharedByKey((question: Q) => ask(owner, question), keyOf));
  return (owner, question) => sharedBy(owner)(question);
}
