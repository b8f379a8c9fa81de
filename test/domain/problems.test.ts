import test from 'ava';
import { isSentence, RULES, type Rule, ruleIn } from '../../src/domain/problems/problem.js';

const rules = Object.keys(RULES) as Rule[];
const namesIn = (text: string) => (text.match(/(?<=\{)\w+(?=\})/g) ?? []).filter((name) => name !== 'field');

test('RULES: no language names a value that the rule does not have', (t) => {
  for (const rule of rules) {
    const known = namesIn(RULES[rule].api);
    for (const language of ['en', 'he', 'ar'] as const) {
      for (const name of namesIn(ruleIn(language, rule)))
        t.true(known.includes(name), `${rule} in ${language}: ${name}`);
    }
  }
});

test('RULES: Hebrew and Arabic are whole sentences of one script, without the words of the API', (t) => {
  for (const rule of rules) {
    const { he, ar } = RULES[rule];
    t.regex(he, /\p{Script=Hebrew}/u, rule);
    t.regex(ar, /\p{Script=Arabic}/u, rule);
    for (const text of [he, ar].map((one) => one.replaceAll(/\{\w+\}/g, 'X'))) {
      t.true(isSentence(text), rule);
      t.notRegex(text, /\b(the|field|must|is|required|ship_data)\b|\p{Script=Latin}_/iu, rule);
    }
  }
});

test('RULES: English follows the name of a field, or is a sentence', (t) => {
  for (const rule of rules) {
    const text = ruleIn('en', rule);
    t.true(isSentence(text) || !text.endsWith('.'), `${rule}: ${text}`);
  }
});
