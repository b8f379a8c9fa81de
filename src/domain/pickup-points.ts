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

/** What checkouts and customers write for one city: its Hebrew name, the official English one, usual forms. Keys. */
const SAME_CITIES: readonly (readonly string[])[] = [
  ['תל אביב', 'תל אביב יפו', 'תא', 'יפו', 'tel aviv', 'tel aviv yafo', 'tel aviv jaffa', 'yafo', 'jaffa'],
  ['ירושלים', 'ירושליים', 'jerusalem', 'yerushalayim'],
  ['חיפה', 'haifa'],
  ['באר שבע', 'beer sheva', 'beersheba', 'be er sheva'],
  ['ראשון לציון', 'ראשלצ', 'rishon lezion', 'rishon le zion', 'rishon leziyyon'],
  ['פתח תקווה', 'פתח תקוה', 'פת', 'petah tikva', 'petach tikva', 'petah tiqwa'],
  ['נתניה', 'netanya'],
  ['אשדוד', 'ashdod'],
  ['אשקלון', 'ashkelon', 'ashqelon'],
  ['חולון', 'holon'],
  ['בת ים', 'bat yam'],
  ['בני ברק', 'bnei brak', 'bene beraq'],
  ['רמת גן', 'רג', 'ramat gan'],
  ['גבעתיים', 'givatayim'],
  ['הרצליה', 'הרצלייה', 'herzliya', 'herzliyya', 'herzlia'],
  ['רעננה', 'raanana'],
  ['כפר סבא', 'כס', 'kfar saba', 'kfar sava', 'kefar sava'],
  ['רחובות', 'rehovot'],
  ['חדרה', 'hadera'],
  ['נהריה', 'נהרייה', 'nahariya', 'nahariyya'],
  ['עכו', 'acre', 'akko'],
  ['נצרת', 'الناصرة', 'nazareth'],
  ['טבריה', 'tiberias'],
  ['אילת', 'eilat', 'elat'],
];

/** The keys under which a city may be listed, whatever of its names was written; none for no letter or digit. */
export function cityKeysOf(city: string): readonly string[] {
  const key = cityKeyOf(city).replace(/ (?:ישראל|israel)$/, '');
  if (key === '') return [];
  const same = SAME_CITIES.find((names) => names.includes(key));
  return [...new Set([key, ...(same ?? [])])];
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
