/**
 * A decimal text (`-?digits[.digits]`) or number as text with two decimals, rounded half away from zero. Texts
 * never become floating point.
 */
export function toDecimal(value: string | number): string {
  const text = typeof value === 'number' ? value.toFixed(6) : value;
  const [, sign = '', whole = '0', fraction = ''] = /^(-?)(\d+)(?:\.(\d+))?$/.exec(text) ?? [];
  const cents = BigInt(whole + fraction.padEnd(3, '0').slice(0, 2)) + (isHalfOrMore(fraction) ? 1n : 0n);
  const digits = cents.toString().padStart(3, '0');
  const amount = `${digits.slice(0, -2)}.${digits.slice(-2)}`;
  return cents === 0n ? amount : sign + amount;
}

function isHalfOrMore(fraction: string): boolean {
  return fraction.charAt(2) >= '5';
}

/** Whether an amount of {@link toDecimal} fits the column: rounding up can add a thirteenth integer digit. */
export function fitsAmount(amount: string): boolean {
  const [whole = ''] = amount.replace('-', '').split('.');
  return whole.length <= 12;
}
