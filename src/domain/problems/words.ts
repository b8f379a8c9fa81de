/**
 * The words of a rule. `{name}` stands for a value of the problem, `{field}` for the field.
 *
 * `api`: what the API says, as published. It follows `The … field` where it begins with a small letter, and is a whole
 * sentence otherwise. `admin`: the same for the administrator's program, where it says it in another way. `en`: the same
 * for a page in English, where readers of a page know nothing of what `api` speaks about. `he`, `ar`: sentences below
 * the field.
 */
export interface RuleWords {
  api: string;
  admin?: string;
  en?: string;
  he: string;
  ar: string;
}
