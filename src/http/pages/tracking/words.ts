import type { Language } from './language.js';
import type { Texts } from './texts.js';
import { arabic } from './texts-ar.js';
import { english } from './texts-en.js';
import { hebrew } from './texts-he.js';

/** The page's words, by language. */
export const TEXTS: Readonly<Record<Language, Texts>> = { en: english, he: hebrew, ar: arabic };
