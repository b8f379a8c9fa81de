import { createHmac, randomInt } from 'node:crypto';

const PREFIX = 'whsec_';
const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789';

/**
 * A new signing secret: `whsec_` and 40 letters and digits (238 bits), also valid base64 for Standard Webhooks
 * libraries.
 */
export function newWebhookSecret(): string {
  return PREFIX + Array.from({ length: 40 }, () => ALPHABET[randomInt(ALPHABET.length)]).join('');
}

interface SignedDelivery {
  event: string;
  eventId: string;
  deliveryId: string;
  /** The exact body. */
  body: string;
  timestampSeconds: number;
  /** Valid secrets, newest first. */
  secrets: readonly string[];
}

/**
 * Headers of a delivery with two signatures of the body: ours, an HMAC with the whole secret as key, and that
 * of Standard Webhooks, with the decoded secret as key. Each has a value per secret.
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
