/** Characters that are not safe in file names. */
const UNSAFE = /[^A-Za-z0-9_-]+/g;

/** File name of a shipment's labels (its tracking code) or of many shipments' (their number). */
export function labelFileName(trackingCodes: readonly (string | null)[]): string {
  const [code, ...others] = trackingCodes;
  if (others.length > 0) return `labels-${trackingCodes.length}.pdf`;
  const safe = (code ?? '').replace(UNSAFE, '');
  return safe === '' ? 'label.pdf' : `label-${safe}.pdf`;
}
