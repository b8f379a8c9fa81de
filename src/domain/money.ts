import type { Money } from './shipment.js';

const SIGNS: Readonly<Record<string, string>> = { ILS: '₪', USD: '$', EUR: '€', GBP: '£' };

/** `₪123,456.90`, or `123,456.90 CHF` for a currency without a sign here. */
export function moneyText({ amount, currency }: Money): string {
  const grouped = amount.replace(/^\d+/, (whole) => whole.replace(/\B(?=(?:\d{3})+$)/g, ','));
  const sign = SIGNS[currency];
  return sign === undefined ? `${grouped} ${currency}` : `${sign}${grouped}`;
}
