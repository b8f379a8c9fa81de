/** What is left of a code in a name that every system takes. */
const UNSAFE = /[^A-Za-z0-9_-]+/g;

/** Name of a shipment's labels after its tracking code, and of many shipments' after their number. */
export function labelFileName(trackingCodes: readonly (string | null)[]): string {
  const [code, ...others] = trackingCodes;
  if (others.length > 0) return `labels-${trackingCodes.length}.pdf`;
  const safe = (code ?? '').replace(UNSAFE, '');
  return safe === '' ? 'label.pdf' : `label-${safe}.pdf`;
}
