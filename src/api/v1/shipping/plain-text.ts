import { NAMED_CHARACTERS } from '../../../domain/html.js';

/**
 * A text as a store's page may take it for HTML: tags are left out, named characters are those characters, and what
 * HTML would still read is a look-alike.
 */
export function plainText(text: string): string {
  return text
    .replaceAll(/<\/?[a-z][^<>]*>/gi, ' ')
    .replaceAll(/&(amp|lt|gt|quot|apos|nbsp|#39);/g, (_found, name: string) => NAMED_CHARACTERS[name] ?? '')
    .replaceAll('<', '‹')
    .replaceAll('>', '›')
    .replaceAll(/&(?=[a-z#])/gi, '& ')
    .replaceAll(/\s+/g, ' ')
    .trim();
}
