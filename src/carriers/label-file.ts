import { problem } from '../domain/problems/problem.js';
import { LIMITS } from '../lib/limits/values.js';
import type { LabelContext, Outcome } from './contract.js';
import { type HttpCall, sendOnce } from './http.js';

/** The bytes as a label, if they are a complete PDF. */
export function pdfOf(body: Uint8Array): Outcome<Uint8Array> {
  const bytes = Buffer.from(body);
  const starts = bytes.subarray(0, 5).toString('latin1') === '%PDF-';
  if (starts && bytes.subarray(-1024).includes('%%EOF')) return { kind: 'accepted', value: bytes };
  return { kind: 'unknown', text: "The carrier's label is not a complete PDF." };
}

/**
 * Fetches a label from the address that the carrier named, without credentials. Only the carrier's own origin
 * (`baseUrl`), or https hosts with public names and addresses (`elsewhere`), are asked; others are `rejected`.
 */
export async function fetchLabelFile(
  address: string,
  baseUrl: string,
  { elsewhere, ...call }: Pick<HttpCall, 'timeoutMs' | 'signal'> & Pick<LabelContext, 'elsewhere'>,
): Promise<Outcome<Uint8Array>> {
  const { origin } = new URL(baseUrl);
  const url = URL.canParse(address, baseUrl) ? new URL(address, baseUrl) : null;
  if (url === null || !isAllowed(url, origin)) {
    return { kind: 'rejected', code: 'label_address', text: problem('label_address').text };
  }
  const reply = await sendOnce({
    ...call,
    method: 'GET',
    url: url.href,
    maxReplyBytes: LIMITS.carriers.labelBytes,
    dispatcher: url.origin === origin ? undefined : elsewhere,
  });
  return reply.kind === 'accepted' ? pdfOf(reply.value.body) : reply;
}

/** Numeric hosts and names without a dot are in internal networks and have no public certificate. */
function isAllowed(url: URL, origin: string): boolean {
  if (url.username !== '' || url.password !== '') return false;
  if (url.origin === origin) return true;
  return url.protocol === 'https:' && url.port === '' && /^(?:[a-z0-9-]+\.)+[a-z]{2,}$/.test(url.hostname);
}
