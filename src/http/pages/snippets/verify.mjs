import { createHmac, timingSafeEqual } from 'node:crypto';

/**
 * Gives the event when one of the signatures fits, else throws. `rawBody` is the body exactly as it came, a Buffer or
 * a string: parse it only afterwards.
 */
export function verifyWebhook(rawBody, signatureHeader, secret, toleranceSeconds = 300) {
  const parts = String(signatureHeader)
    .split(',')
    .map((part) => part.split('='));
  const timestamp = parts.find(([name]) => name === 't')?.[1] ?? '';
  const expected = createHmac('sha256', secret).update(`${timestamp}.`).update(rawBody).digest();
  const fits = parts.some(([name, value = '']) => {
    const given = Buffer.from(value, 'hex');
    return name === 'v1' && given.length === expected.length && timingSafeEqual(given, expected);
  });
  if (!fits) throw new Error('The signature does not fit.');
  const ageSeconds = Math.abs(Date.now() / 1000 - Number(timestamp));
  if (!(ageSeconds <= toleranceSeconds)) throw new Error('The delivery is too old.');
  return JSON.parse(rawBody);
}
