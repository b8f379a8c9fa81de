/** Languages for recipients, in display order. */
export const LANGUAGES = ['en', 'he', 'ar'] as const;

export type Language = (typeof LANGUAGES)[number];

export function isLanguage(text: string): text is Language {
  return LANGUAGES.some((language) => language === text);
}
