import type { Language } from '../../../../domain/recipient-words/language.js';
import { ar } from './ar.js';
import { en, type Words } from './en.js';
import { he } from './he.js';

/** The panel's texts by language. */
export const WORDS: Readonly<Record<Language, Words>> = { en, he, ar };

/** A text with its values: `{count}` is replaced by `values.count`. */
export function filled(text: string, values: Readonly<Record<string, string | number>>): string {
  return text.replaceAll(/\{(\w+)\}/g, (_, name: string) => String(values[name] ?? ''));
}
