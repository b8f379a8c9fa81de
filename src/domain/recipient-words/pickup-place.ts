/** Where a recipient fetches the parcel. Texts are empty, coordinates null, where the carrier does not tell. */
export interface PickupPlace {
  name: string;
  street: string;
  number: string;
  city: string;
  remarks: string;
  /** Decimal degrees. */
  coordinates: { latitude: string; longitude: string } | null;
}

/** A place of which only the caller's words are known: they are its name. */
export function placeInWords(name: string): PickupPlace {
  return { name, street: '', number: '', city: '', remarks: '', coordinates: null };
}

/** The address in one line, as in `HaMasger 20, Tel Aviv`. */
export function placeAddress({ street, number, city }: PickupPlace): string {
  return [`${street} ${number}`.trim(), city.trim()].filter((part) => part !== '').join(', ');
}

/** A link that opens the place in the maps of a phone or a browser. */
export function mapUrl(place: PickupPlace): string {
  const { coordinates, name } = place;
  const query =
    coordinates === null
      ? [name, placeAddress(place)].filter((part) => part !== '').join(', ')
      : `${coordinates.latitude},${coordinates.longitude}`;
  return `https://www.google.com/maps/search/?api=1&query=${encodeURIComponent(query)}`;
}
