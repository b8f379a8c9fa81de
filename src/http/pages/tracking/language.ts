import { isLanguage, type Language } from '../../../domain/recipient-words/language.js';

/**
 * The page's language: the one asked for in the address, else the best of `Accept-Language` that the page speaks,
 * else the merchant's (`he`, `he_IL`), else English.
 */
export function chooseLanguage(asked: unknown, accepted: string | undefined, locale: string): Language {
  if (typeof asked === 'string' && isLanguage(asked)) return asked;
  const wanted = acceptedLanguages(accepted ?? '').find(isLanguage);
  if (wanted !== undefined) return wanted;
  const own = primaryOf(locale);
  return isLanguage(own) ? own : 'en';
}

/** Primary tags of an `Accept-Language` header, best first; those with q=0 are refused. */
function acceptedLanguages(header: string): string[] {
  return header
    .slice(0, 500)
    .split(',')
    .map((range) => {
      const [tag = '', ...parameters] = range.split(';');
      const quality = parameters.map((text) => /^\s*q=([\d.]+)\s*$/.exec(text)?.[1]).find(Boolean);
      return { tag: primaryOf(tag), quality: quality === undefined ? 1 : Number(quality) };
    })
    .filter(({ quality }) => quality > 0)
    .sort((one, other) => other.quality - one.quality)
    .map(({ tag }) => tag);
}

function primaryOf(tag: string): string {
  const primary = tag.trim().toLowerCase().split(/[-_]/)[0] ?? '';
  // Old browsers use this tag for Hebrew.
  return primary === 'iw' ? 'he' : primary;
}
