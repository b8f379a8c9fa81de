/**
 * Asks once for those who ask for the same at the same time. Nothing is kept: who asks after an answer asks anew. An
 * answer may be of a moment shortly before it was asked for, so this is for what a caller cannot have changed itself.
 */
export function sharedByKey<K, T>(ask: (key: K) => Promise<T>): (key: K) => Promise<T> {
  const underWay = new Map<K, Promise<T>>();
  return (key) => {
    const known = underWay.get(key);
    if (known !== undefined) return known;
    const asked = ask(key).finally(() => underWay.delete(key));
    underWay.set(key, asked);
    return asked;
  };
}
