/** A pickup place for recipients. Unknown texts are empty, unknown coordinates null. */
export interface PickupPlace {
  name: string;
  street: string;
  number: string;
  city: string;
  remarks: string;
  /** Decimal degrees. */
  coordinates: { latitude: string; longitude: string } | null;
}

/** A place known only by the caller's words, which become its name. */
export function placeInWords(name: string): PickupPlace {
  return { name, street: '', number: '', city: '', remarks: '', coordinates: null };
}

/** The address in one line, as in `HaMasger 20, Tel Aviv`. */
export function placeAddress({ street, number, city }: PickupPlace): string {
  return [`${street} ${number}`.trim(), city.trim()].filter((part) => part !== '').join(', ');
}

/** A link that opens the place in a map app or browser. */
export function mapUrl(place: PickupPlace): string {
  const { coordinates, name } = place;
  const query =
    coordinates === null
      ? [name, placeAddress(place)].filter((part) => part !== '').join(', ')
      : `${coordinates.latitude},${coordinates.longitude}`;
  return `https://www.google.com/maps/search/?api=1&query=${encodeURIComponent(query)}`;
}
