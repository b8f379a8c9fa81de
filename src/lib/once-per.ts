import { sharedByKey } from './limits/shared-by-key.js';

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
