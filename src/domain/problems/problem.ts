import type { Language } from '../recipient-words/language.js';
import { ANSWER_RULES } from './answers.js';
import { CARRIER_RULES } from './carriers.js';
import { PEOPLE_RULES } from './people.js';
import { RECORD_RULES } from './records.js';
import { REQUEST_RULES } from './requests.js';
import { TEMPLATE_RULES } from './templates.js';
import type { RuleWords } from './words.js';

const CATALOGUE = {
  ...REQUEST_RULES,
  ...CARRIER_RULES,
  ...RECORD_RULES,
  ...PEOPLE_RULES,
  ...TEMPLATE_RULES,
  ...ANSWER_RULES,
} as const;

export type Rule = keyof typeof CATALOGUE;

/** Every rule that a request may break, with its words in each language. */
export const RULES: Readonly<Record<Rule, RuleWords>> = CATALOGUE;

/** The names of all rules. */
export const rules: readonly Rule[] = Object.keys(CATALOGUE).filter(isRule);

type Named<T extends string> = T extends `${string}{${infer Name}}${infer Rest}`
  ? Exclude<Name, 'field'> | Named<Rest>
  : never;
type NamesOf<R extends Rule> = Named<(typeof CATALOGUE)[R]['api']>;

/** Values that a rule's words name, such as `limit`. `other`: the path of another field. */
export type ValuesOf<R extends Rule> = [NamesOf<R>] extends [never]
  ? []
  : [values: Readonly<Record<NamesOf<R>, string | number>>];

/** A broken rule. `text`: in English, as the API publishes it. Without a `rule` it is quoted, such as a carrier's words. */
export interface Problem {
  text: string;
  rule?: Rule;
  values?: Readonly<Record<string, string | number>>;
}

/** JSON path of the invalid input (`ship_data.contact_name`, `filter[type]`) → what is wrong there. */
export type FieldErrors = Record<string, Problem[]>;

/** Who speaks: the API of `The street field …`, or the administrator's program of `street …`. */
type Voice = 'api' | 'admin';

/** The problem of a field. */
export function problemAt<R extends Rule>(path: string, rule: R, ...[values]: ValuesOf<R>): Problem {
  return problemIn('api', path, rule, values);
}

/** The same in the words of the administrator's program. */
export function adminProblemAt<R extends Rule>(path: string, rule: R, ...[values]: ValuesOf<R>): Problem {
  return problemIn('admin', path, rule, values);
}

function problemIn(voice: Voice, path: string, rule: Rule, values: Problem['values']): Problem {
  return { text: sentence(path, rule, values, voice), rule, ...(values === undefined ? {} : { values }) };
}

/** The problem of a whole request, whose rule is a whole sentence. */
export function problem<R extends Rule>(rule: R, ...values: ValuesOf<R>): Problem {
  return problemAt('', rule, ...values);
}

/** Words that are shown as they are: a carrier's, or a page's own. */
export function quoted(text: string): Problem {
  return { text };
}

/** The published texts about fields, by path. */
export function textsOf(fields: FieldErrors): Record<string, string[]> {
  return Object.fromEntries(
    Object.entries(fields).map(([path, problems]) => [path, problems.map(({ text }) => text)]),
  );
}

/** Problems by path from stored or sent JSON. */
export function fieldErrorsOf(json: unknown): FieldErrors {
  const entries = Object.entries(Object(json)).map(([path, list]): [string, Problem[]] => [
    path,
    [list].flat().map(problemOf),
  ]);
  return Object.fromEntries(entries);
}

/** A problem from stored or sent JSON; a text, as older runs of the engine have it, is quoted. */
function problemOf(json: unknown): Problem {
  if (typeof json !== 'object' || json === null) return quoted(String(json));
  const { text, rule, values }: { text?: unknown; rule?: unknown; values?: unknown } = json;
  const known = { text: String(text) };
  if (typeof rule !== 'string' || !isRule(rule)) return known;
  const named = Object.entries(Object(values)).map(([name, value]): [string, string | number] => [
    name,
    typeof value === 'number' ? value : String(value),
  ]);
  return { ...known, rule, ...(named.length === 0 ? {} : { values: Object.fromEntries(named) }) };
}

function isRule(name: string): name is Rule {
  return Object.hasOwn(CATALOGUE, name);
}

function sentence(path: string, rule: Rule, values: Problem['values'], voice: Voice): string {
  const { api, admin = api } = RULES[rule];
  const words = fill(voice === 'api' ? api : admin, { ...values, field: path });
  if (voice === 'admin') return isSentence(words) || path === '' ? words : `${path} ${words}`;
  return isSentence(api) || path === '' ? words : `The ${path} field ${words}.`;
}

/** Whether words say all by themselves; others follow a field's name. */
export function isSentence(words: string): boolean {
  return !/^[a-z]/.test(words) && words.endsWith('.');
}

/** The text of a rule for a page. In English it may follow the field's name, as {@link isSentence} tells. */
export function ruleIn(language: Language, rule: Rule): string {
  const words = RULES[rule];
  return language === 'en' ? (words.en ?? words.api) : words[language];
}

/** Words with their values: `{limit}` is replaced by `values.limit`. */
export function fill(words: string, values: Readonly<Record<string, string | number>>): string {
  return words.replaceAll(/\{(\w+)\}/g, (_, name: string) => String(values[name] ?? ''));
}
