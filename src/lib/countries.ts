import { createRequire } from 'node:module';
import { getAlpha3Codes, getNames, type LocaleData, registerLocale } from 'i18n-iso-countries/index.js';

const LANGUAGES = ['en', 'he', 'ar'] as const;
/** ISO 3166's code for a place that is none: what a caller said of the country names none that we know. */
export const UNKNOWN_COUNTRY = 'ZZ';

let codes: ReadonlyMap<string, string> | undefined;

/** The two-letter code of a country by its code of two or three letters or its name in our languages; null for none. */
export function countryCode(text: string): string | null {
  // Most commands of operators need none.
  codes ??= codesByName();
  return codes.get(folded(text)) ?? null;
}

/**
 * Names are the library's, and those of the platform, which has short and everyday ones (`בריטניה`, `UK`). Codes come
 * last: no name is taken for another country's.
 */
function codesByName(): ReadonlyMap<string, string> {
  const found = new Map<string, string>();
  // The package's entry would read eighty languages.
  const read = createRequire(import.meta.url);
  for (const language of LANGUAGES) {
    const locale: unknown = read(`i18n-iso-countries/langs/${language}.json`);
    if (!isLocale(locale)) throw new TypeError(`No names of countries in ${language}.`);
    registerLocale(locale);
    const platform = (['long', 'short'] as const).map(
      (style) => new Intl.DisplayNames([language], { type: 'region', style, fallback: 'none' }),
    );
    for (const [code, names] of Object.entries(getNames(language, { select: 'all' }))) {
      for (const name of [...names, ...platform.map((one) => one.of(code))]) {
        if (name !== undefined) found.set(folded(name), code);
      }
    }
  }
  for (const [threeLetters, code] of Object.entries(getAlpha3Codes())) {
    found.set(folded(code), code);
    found.set(folded(threeLetters), code);
  }
  return found;
}

function isLocale(value: unknown): value is LocaleData {
  return typeof value === 'object' && value !== null && 'locale' in value && 'countries' in value;
}

/** Without case, points, accents and hamzas: `U.S.A.`, `Côte d'Ivoire`, `اسرائيل`. */
function folded(text: string): string {
  return text
    .normalize('NFKD')
    .replaceAll(/[^\p{L}\p{N}]/gu, '')
    .toLowerCase();
}
