import type { problemsEn } from './problems-en.js';

/** The texts of refusals in Hebrew, beside the catalogue of rules. */
export const problemsHe: typeof problemsEn = {
  problems: { language: 'he', more: ' (ועוד {count})', thisField: 'השדה הזה' },
};
