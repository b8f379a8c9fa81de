import { arabic } from './arabic.js';
import { english } from './english.js';
import { hebrew } from './hebrew.js';
import type { Language } from './language.js';

export type Texts = typeof english;

export const TEXTS: Readonly<Record<Language, Texts>> = { en: english, he: hebrew, ar: arabic };
