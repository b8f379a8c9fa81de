import type { problemsEn } from './problems-en.js';

/** The texts of refusals in Arabic, beside the catalogue of rules. */
export const problemsAr: typeof problemsEn = {
  problems: { language: 'ar', more: ' (و{count} أخرى)', thisField: 'هذا الحقل' },
};
