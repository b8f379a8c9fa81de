/** Largest `order.billing` and `order.shipping`, in KiB of JSON: a page of orders holds a hundred of both. */
export const MAX_ADDRESS_KIB = 64;
/** Largest order in KiB of JSON. */
export const MAX_ORDER_KIB = 256;

/** Longest field name in `order.meta_data`, in characters; MySQL's JSON accepts less than 64 KiB. */
export const MAX_NAME = 1024;

/** Whether a nested field, at any depth, has a longer name. For parsed bodies, whose depth is bounded. */
export function hasLongName(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return false;
  if (Array.isArray(value)) return value.some(hasLongName);
  return Object.entries(value).some(([name, one]) => name.length > MAX_NAME || hasLongName(one));
}

/** Whether a value is larger than that as JSON. */
export function isLarger(value: unknown, kib: number): boolean {
  return Buffer.byteLength(JSON.stringify(value ?? null)) > kib * 1024;
}
