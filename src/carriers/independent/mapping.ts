import { createHash } from 'node:crypto';

/** Digits before the check digit. Spreadsheets hold numbers of 15 digits, and JSON in JavaScript those below 2^53. */
const LENGTH = 14;
/** First digits 1 to 9: a leading zero would be lost. */
const FIRST_DIGITS = 9n;

/**
 * The tracking code of a reference: 14 digits from its SHA-256 (46 bits) and a check digit. Equal references
 * give equal codes, so booking again replays the first parcel. Where another parcel of the license has the code, which
 * happens once in 200 licenses of a million parcels, the parcel is issued under another reference.
 */
export function trackingCodeOf(reference: string): string {
  const digest = createHash('sha256').update(`independent:${reference}`).digest();
  const rest = 10n ** BigInt(LENGTH - 1);
  // Taken from 128 bits, so that all codes are equally likely.
  const number = rest + (BigInt(`0x${digest.toString('hex', 0, 16)}`) % (FIRST_DIGITS * rest));
  const code = String(number);
  return code + checkDigit(code);
}

/** Luhn mod 10: detects every single wrong digit and almost every swap of neighbors. */
function checkDigit(code: string): string {
  let sum = 0;
  let factor = 2;
  for (const digit of Array.from(code).toReversed()) {
    const product = Number(digit) * factor;
    sum += Math.floor(product / 10) + (product % 10);
    factor = factor === 2 ? 1 : 2;
  }
  return String((10 - (sum % 10)) % 10);
}
