import { createHmac, randomInt } from 'node:crypto';

const PREFIX = 'whsec_';
const SECRET_LENGTH = 40;
const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789';

/**
 * A new signing secret: `whsec_` and 40 letters and digits (238 bits). They are valid base64 too, which the Standard
 * Webhooks libraries expect.
 */
export function newWebhookSecret(): string {
  return PREFIX + Array.from({ length: SECRET_LENGTH }, () => ALPHABET[randomInt(ALPHABET.length)]).join('');
}

/** What is signed. */
export interface SignedDelivery {
  event: string;
  eventId: string;
  deliveryId: string;
  /** The body exactly as it is sent. */
  body: string;
  timestampSeconds: number;
  /** Secrets that receivers may check with, the newest first. */
  secrets: readonly string[];
}

/**
 * The headers of a delivery. Two signatures of the same body: our own, an HMAC keyed with the whole secret, and that
 * of Standard Webhooks, keyed with the bytes that the secret is in base64. Each has one value for every secret.
 */
export function deliveryHeaders(delivery: SignedDelivery): Record<string, string> {
  const { event, eventId, deliveryId, body, timestampSeconds, secrets } = delivery;
  const own = secrets.map((secret) => `v1=${sign(secret, `${timestampSeconds}.${body}`).toString('hex')}`);
  const standard = secrets.map((secret) => {
    const key = Buffer.from(secret.slice(PREFIX.length), 'base64');
    return `v1,${sign(key, `${eventId}.${timestampSeconds}.${body}`).toString('base64')}`;
  });
  return {
    'content-type': 'application/json',
    'user-agent': 'Parcelworks-Webhooks/1',
    'x-service-event': event,
    'x-service-event-id': eventId,
    'x-service-delivery-id': deliveryId,
    'x-service-signature': [`t=${timestampSeconds}`, ...own].join(','),
    'webhook-id': eventId,
    'webhook-timestamp': String(timestampSeconds),
    'webhook-signature': standard.join(' '),
  };
}

function sign(key: string | Buffer, text: string): Buffer {
  return createHmac('sha256', key).update(text, 'utf8').digest();
}
