import { en } from './en.js';
import { he } from './he.js';
import type { Locale, Messages } from './messages.js';

const CATALOGUES: Readonly<Record<Locale, Messages>> = { en, he };

export function messagesOf(locale: Locale): Messages {
  return CATALOGUES[locale];
}
