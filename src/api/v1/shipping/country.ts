import { countryCode } from '../../../lib/countries.js';
import type { Input } from '../input.js';
import { objectAt, wordsAt } from './fields.js';

const MOST = 255;
/** Where the carriers are, and what an order means that names no country. */
const DEFAULT_COUNTRY = 'IL';

/** The country of an order's delivery, else of its billing: its code, or the order's words where they name none. */
export function countryOf(input: Input): string {
  const said = countryIn(input);
  return said === null ? DEFAULT_COUNTRY : (countryCode(said) ?? said);
}

/** The order's words for its country where they name none that we know; else null. */
export function unknownCountry(input: Input): string | null {
  const said = countryIn(input);
  return said !== null && countryCode(said) === null ? said : null;
}

function countryIn(input: Input): string | null {
  const order = objectAt(input, 'order');
  return (
    wordsAt(objectAt(order, 'shipping'), 'country', MOST) ??
    wordsAt(objectAt(order, 'billing'), 'country', MOST)
  );
}
