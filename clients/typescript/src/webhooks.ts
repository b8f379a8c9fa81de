import type { WebhookEvent } from './generated/types.js';

const PREFIX = 'whsec_';
const utf8 = new TextEncoder();

/** Headers as `fetch` has them, or as Node's servers give them. */
export type SentHeaders = Headers | Readonly<Record<string, string | readonly string[] | undefined>>;

export interface VerifyOptions {
  /** How far the sender's clock, or a message that is sent again by somebody else, may be off. Default 300. */
  toleranceSeconds?: number | undefined;
  /** The receiver's clock; default is now. */
  nowSeconds?: number | undefined;
}

/** A delivery whose signature fits. */
export interface VerifiedWebhook {
  event: WebhookEvent;
  /** The same at each attempt: what came once is not done again. */
  id: string | undefined;
}

/** The delivery is not from the service, or not from now. Answer 400. */
export class WebhookError extends Error {
  override readonly name = 'WebhookError';
}

/**
 * Checks a delivery by either of its signatures. `body`: the bytes as they came, not JSON that was read and written
 * again. `secrets`: one, or several while an old one still signs.
 * @throws WebhookError; TypeError where the caller gives no secret, or a body that was read already
 */
export async function verifyWebhook(
  body: string | Uint8Array,
  headers: SentHeaders,
  secrets: string | readonly string[],
  { toleranceSeconds = 300, nowSeconds = Date.now() / 1000 }: VerifyOptions = {},
): Promise<VerifiedWebhook> {
  const bytes = typeof body === 'string' ? utf8.encode(body) : body;
  if (!(bytes instanceof Uint8Array))
    throw new TypeError('body must be the bytes as they came, not JSON that was read.');
  const keys = [secrets].flat().filter((secret) => typeof secret === 'string' && secret !== '');
  if (keys.length === 0) throw new TypeError('secrets must have at least one secret.');
  const found = signaturesIn(headers);
  if (found === undefined) throw new WebhookError('The delivery has no signature.');
  const { id, seconds, given, keyOf } = found;
  const ageSeconds = Math.round(nowSeconds - Number(seconds));
  // Also when the time is no number.
  if (!(Math.abs(ageSeconds) <= toleranceSeconds)) {
    const off = Number.isNaN(ageSeconds)
      ? 'of no time'
      : `${Math.abs(ageSeconds)} seconds ${ageSeconds < 0 ? 'ahead of' : 'behind'} this clock`;
    throw new WebhookError(`The delivery is ${off}; ${toleranceSeconds} are allowed. Is the clock right?`);
  }
  const signed = joined(utf8.encode(found.start), bytes);
  for (const secret of keys) {
    const key = await hmacKey(keyOf(secret), 'verify');
    for (const signature of given) {
      // Compares in constant time.
      if (await crypto.subtle.verify('HMAC', key, signature, signed)) return { event: eventIn(bytes), id };
    }
  }
  throw new WebhookError(
    'No signature of the delivery fits. Are these the raw body and the secret of this webhook?',
  );
}

/** A delivery as the service signs it, to test a receiver with. Several secrets sign side by side. */
export async function signWebhook(
  event: WebhookEvent,
  secrets: string | readonly string[],
  { id = crypto.randomUUID(), nowSeconds = Date.now() / 1000 }: { id?: string; nowSeconds?: number } = {},
): Promise<{ body: string; headers: Record<string, string> }> {
  const body = JSON.stringify(event);
  const seconds = String(Math.floor(nowSeconds));
  const own = await signatures(secrets, (secret) => utf8.encode(secret), `${seconds}.${body}`);
  const standard = await signatures(secrets, decoded, `${id}.${seconds}.${body}`);
  return {
    body,
    headers: {
      'content-type': 'application/json',
      'x-service-event': event.event,
      'x-service-event-id': id,
      'x-service-delivery-id': crypto.randomUUID(),
      'x-service-signature': [`t=${seconds}`, ...own.map((one) => `v1=${hexOf(one)}`)].join(','),
      'webhook-id': id,
      'webhook-timestamp': seconds,
      'webhook-signature': standard.map((one) => `v1,${btoa(String.fromCharCode(...one))}`).join(' '),
    },
  };
}

interface Signatures {
  id: string | undefined;
  seconds: string;
  /** The signed text in front of the body. */
  start: string;
  given: Uint8Array<ArrayBuffer>[];
  keyOf: (secret: string) => Uint8Array<ArrayBuffer>;
}

/** Those of Standard Webhooks, which sign the event's id too; else our own. */
function signaturesIn(headers: SentHeaders): Signatures | undefined {
  const standard = valueOf(headers, 'webhook-signature');
  const [id, seconds] = [valueOf(headers, 'webhook-id'), valueOf(headers, 'webhook-timestamp')];
  if (standard !== undefined && id !== undefined && seconds !== undefined) {
    const given = [...standard.matchAll(/\bv1,([\w+/=]+)/g)].map(([, text = '']) => decoded(text));
    return { id, seconds, start: `${id}.${seconds}.`, given, keyOf: decoded };
  }
  const own = valueOf(headers, 'x-service-signature');
  const time = /\bt=(\d+)/.exec(own ?? '')?.[1];
  if (own === undefined || time === undefined) return undefined;
  const given = [...own.matchAll(/\bv1=((?:[0-9a-f]{2})+)/g)].map(([, text = '']) => fromHex(text));
  const eventId = valueOf(headers, 'x-service-event-id');
  return { id: eventId, seconds: time, start: `${time}.`, given, keyOf: (secret) => utf8.encode(secret) };
}

function valueOf(headers: SentHeaders, name: string): string | undefined {
  if (headers instanceof Headers) return headers.get(name) ?? undefined;
  const value = headers[name] ?? Object.entries(headers).find(([one]) => one.toLowerCase() === name)?.[1];
  return typeof value === 'string' ? value : value?.[0];
}

async function signatures(
  secrets: string | readonly string[],
  keyOf: Signatures['keyOf'],
  text: string,
): Promise<Uint8Array[]> {
  const signing = [secrets].flat().map(async (secret) => {
    const key = await hmacKey(keyOf(secret), 'sign');
    return new Uint8Array(await crypto.subtle.sign('HMAC', key, utf8.encode(text)));
  });
  return await Promise.all(signing);
}

function hmacKey(bytes: Uint8Array<ArrayBuffer>, use: 'sign' | 'verify'): Promise<CryptoKey> {
  return crypto.subtle.importKey('raw', bytes, { name: 'HMAC', hash: 'SHA-256' }, false, [use]);
}

/** A secret of Standard Webhooks, or a signature: the bytes of its base64. */
function decoded(text: string): Uint8Array<ArrayBuffer> {
  const base64 = text.startsWith(PREFIX) ? text.slice(PREFIX.length) : text;
  try {
    return Uint8Array.from(atob(base64), (one) => one.charCodeAt(0));
  } catch {
    throw new WebhookError('The secret or the signature is no base64.');
  }
}

function fromHex(text: string): Uint8Array<ArrayBuffer> {
  return Uint8Array.from(text.match(/../g) ?? [], (pair) => Number.parseInt(pair, 16));
}

function hexOf(bytes: Uint8Array): string {
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
}

function joined(one: Uint8Array, other: Uint8Array): Uint8Array<ArrayBuffer> {
  const both = new Uint8Array(one.length + other.length);
  both.set(one);
  both.set(other, one.length);
  return both;
}

function eventIn(bytes: Uint8Array): WebhookEvent {
  const event: unknown = JSON.parse(new TextDecoder().decode(bytes));
  if (!isEvent(event)) throw new WebhookError('The delivery is no event.');
  return event;
}

/** An event that the service signed has its form: events that are new pass too. */
function isEvent(event: unknown): event is WebhookEvent {
  return typeof event === 'object' && event !== null && 'event' in event;
}
