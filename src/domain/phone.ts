/** Digits of the longest number that a shipment stores. */
const MAX_DIGITS = 64;

/**
 * A phone number as two spellings of it are told to be one: its digits, an Israeli country code replaced by the zero
 * that stands for it at home. `+972 50-123-4567`, `00972501234567` and `050 1234567` are all `0501234567`. Empty where
 * there are no digits, which matches nobody.
 */
export function phoneKey(phone: string): string {
  const digits = phone.replaceAll(/\D/g, '');
  const home = /^(?:00)?972(\d+)$/.exec(digits)?.[1];
  const key = home === undefined ? digits : `0${home.replace(/^0/, '')}`;
  return key.slice(0, MAX_DIGITS);
}
