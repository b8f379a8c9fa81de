/** Languages in which recipients are spoken to, in the order in which they are offered. */
export const LANGUAGES = ['en', 'he', 'ar'] as const;

/** One of {@link LANGUAGES}. */
export type Language = (typeof LANGUAGES)[number];

/** Whether recipients are spoken to in this language. */
export function isLanguage(text: string): text is Language {
  return LANGUAGES.some((language) => language === text);
}
