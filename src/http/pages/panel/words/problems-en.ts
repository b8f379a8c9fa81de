import type { Language } from '../../../../domain/recipient-words/language.js';

interface Refusals {
  /** Of the rules in the catalogue. */
  language: Language;
  /** Behind the first of several problems. */
  more: string;
  /** In place of the label of a field that no form shows. */
  thisField: string;
}

/** The texts of refusals in English, beside the catalogue of rules. */
export const problemsEn: { problems: Refusals } = {
  problems: {
    language: 'en',
    more: ' (and {count} more)',
    thisField: 'This field',
  },
};
