import { TOWN_NAMES } from './town-names.js';

/** As long as the column of a stored key. */
const MAX_KEY = 255;

/**
 * The town that a name means, as a key: equal keys are one town, other keys never. Case, accents, vowel points, quotation
 * marks, hyphens and blanks do not count, nor doubled yod and vav, nor a country behind the name; a town's usual names in
 * Hebrew, English and Arabic ({@link TOWN_NAMES}) have the key of its Hebrew one. Empty without a letter or digit.
 */
export function townKeyOf(name: string): string {
  const key = spellingOf(name);
  return KEYS.get(key) ?? key;
}

/** Whether a description, such as `Kiosk, Herzl 12, Haifa`, names the town as one of its parts. */
export function namesTown(description: string, town: string): boolean {
  const key = townKeyOf(town);
  // A house number ends a street. Words beside a name may make it another town's: `מגדל` and `מגדל העמק`.
  const parts = description.split(/[,;:|/()\n]|\s\p{Pd}\s|\p{N}+/u);
  return key !== '' && parts.some((part) => townKeyOf(part) === key);
}

function spellingOf(name: string): string {
  const words = name
    .normalize('NFKD')
    .replace(/[\p{M}'"`’‘“”׳״]/gu, '')
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim()
    .toLowerCase()
    .replace(/ (?:ישראל|israel)$/, '');
  return latinSpelling(hebrewSpelling(words)).replaceAll(' ', '').slice(0, MAX_KEY);
}

/** `ק. אתא` is short for `קרית אתא`. */
function hebrewSpelling(words: string): string {
  return words
    .replace(/^ק (?=[א-ת])/, 'קרית ')
    .replaceAll(/י+/g, 'י')
    .replaceAll(/ו+/g, 'ו');
}

/** One spelling of the sounds that are written in several ways: `Qiryat` and `Kiryat`, `Hertzliyya` and `Herzliya`. */
function latinSpelling(words: string): string {
  return words
    .replaceAll('q', 'k')
    .replaceAll('w', 'v')
    .replaceAll(/t[sz]/g, 'z')
    .replaceAll(/[ck]h/g, 'h')
    .replaceAll(/([a-z])\1+/g, '$1');
}

const KEYS: ReadonlyMap<string, string> = new Map(
  TOWN_NAMES.flatMap(([town = '', ...others]) =>
    [town, ...others].map((name) => [spellingOf(name), spellingOf(town)] as const),
  ),
);
