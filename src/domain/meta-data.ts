/**
 * Entries of an order's meta data: an object, or WooCommerce's list of `{ key, value }`, which PHP turns into
 * an object with index keys when entries were removed.
 */
export function metaEntries(metaData: unknown): [string, unknown][] {
  if (Array.isArray(metaData)) return metaData.flatMap((entry) => pairOf(entry));
  if (!isObject(metaData)) return [];
  return Object.entries(metaData).flatMap(([key, value]) => {
    const [pair] = /^\d+$/.test(key) ? pairOf(value) : [];
    return [pair ?? [key, value]];
  });
}

function pairOf(entry: unknown): [string, unknown][] {
  return isObject(entry) && typeof entry.key === 'string' ? [[entry.key, entry.value]] : [];
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
