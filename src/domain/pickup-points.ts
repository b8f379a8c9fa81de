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
