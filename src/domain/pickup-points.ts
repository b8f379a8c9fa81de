/** A stored pickup point. Coordinates are degrees, null when the carrier has none. */
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

/** Coordinates in degrees. */
export interface Place {
  latitude: number;
  longitude: number;
}

/**
 * A city's name for comparison: lower case, without accents, vowel points, quotation marks and hyphens, so that
 * `Tel-Aviv` equals `tel aviv`. Letters, digits and single blanks only.
 */
export function cityKeyOf(city: string): string {
  return city
    .normalize('NFKD')
    .replace(/[\p{M}'"`’‘“”׳״]/gu, '')
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim()
    .toLowerCase()
    .slice(0, 255);
}

/** Parses a carrier's coordinates; null unless both are degrees and not the 0, 0 of an empty form. */
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
