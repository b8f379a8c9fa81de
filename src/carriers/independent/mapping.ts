import { createHash } from 'node:crypto';

const ALPHABET = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';
const LENGTH = 12;

/**
 * The tracking code of a reference: twelve Crockford characters (60 bits of its SHA-256) and a check
 * character. The same reference always gives the same code, so booking again replays the first parcel.
 */
export function trackingCodeOf(reference: string): string {
  const digest = createHash('sha256').update(`independent:${reference}`).digest();
  const code = Array.from(digest.subarray(0, LENGTH), (byte) => ALPHABET.charAt(byte % 32)).join('');
  return code + checkCharacter(code);
}

/** Whether a code is one of ours with no character mistyped and no two neighbours swapped. */
export function isTrackingCode(code: string): boolean {
  if (!/^[0-9A-HJKMNP-TV-Z]{13}$/.test(code)) return false;
  return checkCharacter(code.slice(0, -1)) === code.slice(-1);
}

/** Luhn mod 32: catches every single wrong character and almost every swap of neighbours. */
function checkCharacter(code: string): string {
  let sum = 0;
  let factor = 2;
  for (const character of Array.from(code).toReversed()) {
    const product = ALPHABET.indexOf(character) * factor;
    sum += Math.floor(product / 32) + (product % 32);
    factor = factor === 2 ? 1 : 2;
  }
  return ALPHABET.charAt((32 - (sum % 32)) % 32);
}
