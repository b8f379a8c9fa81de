/** Largest `order.billing`, and `order.shipping`, in KiB of JSON: pages of orders come with a hundred of both. */
export const MAX_ADDRESS_KIB = 64;
/** Largest order in KiB of JSON. */
export const MAX_ORDER_KIB = 256;

/** Whether a value takes more as JSON. */
export function isLarger(value: unknown, kib: number): boolean {
  return Buffer.byteLength(JSON.stringify(value ?? null)) > kib * 1024;
}
