/** The entries of an order's meta data, given as an object or as WooCommerce's list of `{ key, value }`. */
export function metaEntries(metaData: unknown): [string, unknown][] {
  if (Array.isArray(metaData)) return metaData.flatMap((entry) => pairOf(entry));
  return isObject(metaData) ? Object.entries(metaData) : [];
}

function pairOf(entry: unknown): [string, unknown][] {
  return isObject(entry) && typeof entry.key === 'string' ? [[entry.key, entry.value]] : [];
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
