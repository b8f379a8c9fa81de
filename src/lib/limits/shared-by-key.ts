/**
 * Asks once for those who ask for the same at the same time. Nothing is kept: who asks after an answer asks anew. An
 * answer may be of a moment shortly before it was asked for, so this is for what a caller cannot have changed itself.
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
