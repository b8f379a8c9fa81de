import { arabic } from './arabic.js';
import { english } from './english.js';
import { hebrew } from './hebrew.js';
import type { Language } from './language.js';
import type { Texts } from './texts.js';

export const TEXTS: Readonly<Record<Language, Texts>> = { en: english, he: hebrew, ar: arabic };
