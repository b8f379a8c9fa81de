import { isUtf8 } from 'node:buffer';
import { problem } from '../domain/problems/problem.js';
import { isWebPage } from '../domain/web-page.js';
import { LIMITS } from '../lib/limits/values.js';
import { fromHeader, hasEnd } from '../lib/pdf-bytes.js';
import type { LabelContext, Outcome } from './contract.js';
import { type HttpCall, sendOnce } from './http.js';
import { carrierText } from './text.js';

/**
 * The bytes as a label from the PDF's header on. `unknown` where they may come whole another time; `rejected` for what is
 * no PDF, with the carrier's words if it is text.
 */
export function pdfOf(body: Uint8Array): Outcome<Uint8Array> {
  const bytes = Buffer.from(body);
  if (bytes.length === 0) return { kind: 'unknown', text: problem('label_cut').text };
  const pdf = isWebPage(beginningOf(bytes)) ? null : fromHeader(bytes);
  if (pdf === null) {
    return {
      kind: 'rejected',
      code: 'label_no_pdf',
      text: problem('label_no_pdf', { what: nameOf(bytes) }).text,
    };
  }
  return hasEnd(pdf)
    ? { kind: 'accepted', value: pdf }
    : { kind: 'unknown', text: problem('label_cut').text };
}

/** First bytes of what carriers send in place of a PDF. */
const KINDS: readonly [start: string, name: string][] = [
  ['\x89PNG', 'a PNG picture'],
  ['\xff\xd8\xff', 'a JPEG picture'],
  ['GIF8', 'a GIF picture'],
  ['^XA', 'ZPL of label printers'],
];

function nameOf(bytes: Buffer): string {
  const start = bytes.toString('latin1', 0, 16).trimStart();
  const kind = KINDS.find(([first]) => start.startsWith(first))?.[1];
  if (kind !== undefined) return kind;
  if (isWebPage(beginningOf(bytes))) return 'a web page';
  const said = isUtf8(bytes) ? carrierText(beginningOf(bytes)) : '';
  return said === '' ? 'something else' : `“${said}”`;
}

function beginningOf(bytes: Buffer): string {
  return bytes.toString('utf8', 0, 2000);
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
