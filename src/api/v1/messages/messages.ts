import { en } from './en.js';
import { he } from './he.js';

/** The texts of API v1 in one language. */
export type Messages = typeof en;

const CATALOGUES: Readonly<Record<'en' | 'he', Messages>> = { en, he };

export function messagesOf(locale: keyof typeof CATALOGUES): Messages {
  return CATALOGUES[locale];
}
