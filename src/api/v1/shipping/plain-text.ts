import { NAMED_CHARACTERS } from '../../../domain/html.js';

/**
 * Text that is safe if a store's page treats it as HTML: tags are removed, entities decoded, and HTML's special
 * characters replaced by look-alikes.
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
