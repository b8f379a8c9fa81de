import { randomInt } from 'node:crypto';
import test from 'ava';
import { allCarriers } from '../../src/carriers/registry.js';
import { type Random, seededRandom } from '../faults/seeded-random.js';
import { COLLECTING, createVia, startWays, textsIn, WAYS } from '../support/creation-ways.js';
import type { TestStack } from '../support/stack.js';

const SEED = Number(process.env.ADDRESS_SEED ?? randomInt(2 ** 31));
const ROUNDS = Number(process.env.ADDRESS_ROUNDS ?? 6);
let stack: TestStack;
let url: string;

test.before(async () => {
  ({ stack, url } = await startWays());
});
test.after.always(() => stack?.close());

const SCRIPTS = [
  'אבגדהוזחטיכךלמםנןסעפףצץקרשת',
  'abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ',
  'àâçéèêëîïôùûüÿñäößåøæœł',
  'ابتثجحخدذرزسشصضطظعغفقكلمنهوي',
  'абвгдежзийклмнопрстуфхцчшщъыьэюя',
  'αβγδεζηθικλμνξοπρστυφχψω',
  'აბგდევზთიკლმნოპჟრსტუფქღყშჩცძწჭხჯჰ',
  'աբգդեզէըթժիլխծկհձղճմյնշոչպջռսվտրցփք',
  '甲乙丙丁東西南北中山路街',
];
const DIGITS = ['0123456789', '0123456789', '٠١٢٣٤٥٦٧٨٩', '०१२३४५६७८९'];
/** Punctuation in addresses. */
const SIGNS = [
  "'",
  '"',
  ',',
  '-',
  '/',
  '.',
  '׳',
  '״',
  '־',
  '–',
  '’',
  '(',
  ')',
  ':',
  '&',
  '#',
  '+',
  '_',
  '@',
  '!',
  ';',
];
/** Combining marks such as vowel points and accents. */
const POINTS = ['\u05b8', '\u05bc', '\u0301', '\u0308', '\u064b'];
/** Invisible characters. */
const MARKS = [
  '\u200e',
  '\u200f',
  '\u202a',
  '\u202b',
  '\u202c',
  '\u2066',
  '\u2069',
  '\u200b',
  '\u00ad',
  '\ufe0f',
  '\ufeff',
  '\u2060',
];

/** One to three words of one script each, with random marks; at least two letters, which some carriers require. */
function words(random: Random, longest: number): string {
  const text = Array.from({ length: 1 + random.below(3) }, () =>
    word(random, 2 + random.below(longest)),
  ).join(' ');
  return random.below(2) === 0 ? text : `${random.pick(MARKS)}${text}${random.pick(MARKS)}`;
}

function word(random: Random, length: number): string {
  const letters = random.below(4) === 0 ? random.pick(DIGITS) : random.pick(SCRIPTS);
  const character = (index: number) => {
    const letter = random.pick(Array.from(letters));
    if (index === 0) return letter;
    const kind = random.below(12);
    if (kind === 0) return `${random.pick(SIGNS)}${letter}`;
    if (kind === 1) return `${random.pick(MARKS)}${letter}`;
    return kind === 2 ? `${letter}${random.pick(POINTS)}` : letter;
  };
  return Array.from({ length }, (_, index) => character(index)).join('');
}

/** Random address texts; the door's are optional. */
function addressOf(random: Random): Record<string, string> {
  const door = ['number', 'house_no', 'floor', 'apartment', 'entrance'] as const;
  const parts = door.filter(() => random.below(4) > 0).map((name) => [name, words(random, 3)]);
  return {
    contact_name: words(random, 6),
    street: words(random, 7),
    city: words(random, 6),
    ...Object.fromEntries(parts),
  };
}

/** The visible words of a text. */
const visible = (text: string) =>
  text
    .normalize()
    .replaceAll(/[\p{Default_Ignorable_Code_Point}]/gu, '')
    .trim()
    .split(/\s+/u);

/** Whether the texts contain the words in order, with anything in between. */
function holds(texts: readonly string[], text: string): boolean {
  const sent = texts.flatMap(visible).join(' ');
  let at = 0;
  for (const one of visible(text)) {
    at = sent.indexOf(one, at);
    if (at < 0) return false;
    at += one.length;
  }
  return true;
}

/** The carrier `run` replaces its separators by blanks. */
const withoutSeparators = (text: string) => text.replaceAll(/[,&]/g, ' ');

for (const [index, { provider }] of allCarriers().entries()) {
  for (const [turn, way] of WAYS.entries()) {
    test(`${provider}, ${way}: every visible character of any address arrives`, async (t) => {
      t.log(`seed ${SEED}: run it again with ADDRESS_SEED=${SEED}`);
      const random = seededRandom(SEED + index * WAYS.length + turn);
      const addresses = Array.from({ length: ROUNDS }, () => addressOf(random));

      const sent = [];
      for (const address of addresses) {
        const type = COLLECTING.has(provider) ? 1 + random.below(2) : 1;
        sent.push(await createVia(stack, url, { way, provider, ship_data: { ...address, type } }));
      }

      let created = 0;
      for (const [round, { answer, carrier, label }] of sent.entries()) {
        const address = addresses[round] ?? {};
        const said = JSON.stringify({ address, carrier, answer: answer.text });
        if (label === null) {
          t.regex(answer.text, /ship_data\./, said);
          continue;
        }
        created += 1;
        const printed = textsIn(label.labels[0]);
        for (const [name, text] of Object.entries(address)) {
          t.true(holds(printed, text), `${name} on the label: ${JSON.stringify(printed)} of ${said}`);
          // A carrier's name field may be short; the label has the whole name.
          if (provider === 'independent' || name === 'contact_name') continue;
          t.true(holds(textsIn(carrier), withoutSeparators(text)), `${name} at the carrier: ${said}`);
        }
      }
      t.true(created >= ROUNDS * 0.8, `${created} of ${ROUNDS} were accepted`);
    });
  }
}
