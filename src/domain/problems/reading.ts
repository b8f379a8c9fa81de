import { isSentence, type Problem, quoted, RULES, type Rule, rules } from './problem.js';

/** A problem and the path of its field, empty for none. */
export interface ReadProblem {
  path: string;
  problem: Problem;
}

const SPECIAL = /[.*+?^$()[\]\\|{}]/g;

/** Sentences of the API as patterns. A rule that is nothing but a value would match any text. */
const patterns = new Map<Rule, RegExp>();

function patternOf(rule: Rule): RegExp | null {
  const { api } = RULES[rule];
  if (/^\{\w+\}$/.test(api)) return null;
  const known = patterns.get(rule);
  if (known !== undefined) return known;
  const whole = isSentence(api) ? api : `The {field} field ${api}.`;
  const names = new Set<string>();
  const source = whole.replaceAll(/\{(\w+)\}|[^{}]+/g, (part, name?: string) => {
    if (name === undefined) return part.replaceAll(SPECIAL, '\\$&');
    if (names.has(name)) return `\\k<${name}>`;
    names.add(name);
    return name === 'field' ? '(?<field>[\\w.[\\]-]+)' : `(?<${name}>.+?)`;
  });
  const pattern = new RegExp(`^${source}$`, 's');
  patterns.set(rule, pattern);
  return pattern;
}

/** The problem of the catalogue that one of its published sentences says, as records and answers keep it; else null. */
function problemIn(text: string): ReadProblem | null {
  for (const rule of rules) {
    const groups = patternOf(rule)?.exec(text);
    if (groups == null) continue;
    const { field: path = '', ...values } = groups.groups ?? {};
    return { path, problem: { text, rule, values } };
  }
  return null;
}

/** The problems of a text that may hold several sentences; quoted as a whole where one is not of the catalogue. */
export function problemsIn(text: string): ReadProblem[] {
  const whole = problemIn(text);
  if (whole !== null) return [whole];
  const parts = text.split(/(?<=\.) (?=[A-Z])/).map(problemIn);
  const read = parts.filter((one) => one !== null);
  return read.length === parts.length ? read : [{ path: '', problem: quoted(text) }];
}
