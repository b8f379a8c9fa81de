/** A pickup point of the stored copy. Coordinates are degrees, null where the carrier gives none. */
export interface StoredPickupPoint {
  id: string;
  name: string;
  city: string;
  street: string;
  number: string;
  streetCode: string;
  latitude: number | null;
  longitude: number | null;
  remarks: string;
}

/** A place on earth, in degrees. */
export interface Place {
  latitude: number;
  longitude: number;
}

const MAX_KEY_LENGTH = 255;

/**
 * A city's name as it is compared: without case, accents, vowel points, quotation marks and hyphens, so that
 * `Tel-Aviv` meets `tel aviv` and `תל אביב־יפו` meets `תל אביב-יפו`. Letters, digits and single blanks only.
 */
export function cityKeyOf(city: string): string {
  return city
    .normalize('NFKD')
    .replace(/[\p{M}'"`’‘“”׳״]/gu, '')
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim()
    .toLowerCase()
    .slice(0, MAX_KEY_LENGTH);
}

/** Coordinates that a carrier gave as texts; null unless both are degrees, and not the 0, 0 of an empty form. */
export function placeOf(latitude: string, longitude: string): Place | null {
  const place = { latitude: degreesOf(latitude, 90), longitude: degreesOf(longitude, 180) };
  if (place.latitude === null || place.longitude === null) return null;
  if (place.latitude === 0 && place.longitude === 0) return null;
  return { latitude: place.latitude, longitude: place.longitude };
}

function degreesOf(text: string, max: number): number | null {
  if (!/^[+-]?\d{1,3}(\.\d{1,20})?$/.test(text)) return null;
  const degrees = Number(text);
  return Math.abs(degrees) <= max ? degrees : null;
}
