import { AppError } from '../../../domain/errors.js';
import {
  type FieldErrors,
  fill,
  isSentence,
  type Problem,
  ruleIn,
} from '../../../domain/problems/problem.js';
import { problemsIn } from '../../../domain/problems/reading.js';
import { labelOf } from './labels.js';
import type { Words } from './words/en.js';

/** A problem in the language of the page. `path`: of its field. What has no rule, such as a carrier's words, stays. */
export function told(words: Words, problem: Problem, path = ''): string {
  const { rule, values = {} } = problem;
  if (rule === undefined) return toldText(words, problem.text);
  const label = labelOf(words, path) ?? words.problems.thisField;
  const other =
    typeof values.other === 'string' ? { other: labelOf(words, values.other) ?? values.other } : {};
  const text = ruleIn(words.problems.language, rule);
  const whole = fill(text, { ...values, ...other, field: label });
  return isSentence(text) ? whole : `${label} ${whole}.`;
}

/**
 * A text that a record or an answer keeps. What is of the catalogue is in the language of the page; other words, such as
 * a carrier's, stay.
 */
export function toldText(words: Words, text: string): string {
  return problemsIn(text)
    .map(({ path, problem }) => (problem.rule === undefined ? problem.text : named(words, problem, path)))
    .join(' ');
}

/** A problem behind the label of its field, where it does not name it. */
function named(words: Words, problem: Problem, path: string): string {
  const text = told(words, problem, path);
  const label = labelOf(words, path);
  return label === undefined || text.includes(label) ? text : `${label}: ${text}`;
}

/** A page's texts about fields, by their paths. */
export function toldFields(words: Words, fields: FieldErrors): Record<string, string[]> {
  return Object.fromEntries(
    Object.entries(fields).map(([path, problems]) => [path, problems.map((one) => told(words, one, path))]),
  );
}

/** An error in one sentence, which names the first of its fields. */
export function toldError(words: Words, { fields, problem }: AppError): string {
  const all = Object.entries(fields ?? {}).flatMap(([path, problems]) =>
    problems.map((one) => [path, one] as const),
  );
  const [first] = all;
  // A page's own sentence stands above what it says of the fields.
  if (first === undefined || problem.rule !== undefined) return told(words, problem);
  const [path, one] = first;
  const sentence = one.rule === undefined ? told(words, one) : named(words, one, path);
  return all.length === 1 ? sentence : sentence + fill(words.problems.more, { count: all.length - 1 });
}

/** Why a form was refused, in the language of the page: a sentence, and messages by the API's field. */
export interface Refusal {
  message: string;
  fields: Record<string, string[]>;
}

/** An error as a form shows it. @throws the error itself when no other input would help */
export function refusalOf(error: unknown, words: Words): Refusal {
  const isRefusal = error instanceof AppError && error.status < 500 && error.status !== 404;
  if (!isRefusal) throw error;
  return { message: toldError(words, error), fields: toldFields(words, error.fields ?? {}) };
}
