import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { type Face, type Points, pointsOf, readPoints } from './font-files.js';

/** The family of the faces that {@link fontFaces} returns. */
const FONT_FAMILY = 'Noto Sans Document';

const NOTO = '@fontsource/noto-sans';

/** The subsets of most documents, kept loaded in the printing page. Latin is in every document. */
const COMMON: readonly [latin: Face, ...others: Face[]] = [
  {
    package: NOTO,
    name: 'noto-sans-latin',
    range:
      'U+0000-00FF,U+0131,U+0152-0153,U+02BB-02BC,U+02C6,U+02DA,U+02DC,U+2000-206F,U+20AC,U+2122,U+2191,U+2193,U+2212,U+2215,U+FEFF,U+FFFD',
  },
  {
    package: '@fontsource/noto-sans-hebrew',
    name: 'noto-sans-hebrew-hebrew',
    range: 'U+0307-0308,U+0590-05FF,U+20AA,U+25CC,U+FB1D-FB4F',
  },
  {
    package: '@fontsource/noto-sans-arabic',
    name: 'noto-sans-arabic-arabic',
    range:
      'U+0600-06FF,U+0750-077F,U+0870-088E,U+0890-0891,U+0897-08E1,U+08E3-08FF,U+204F,U+2E41,U+FB50-FDFF,U+FE70-FE74,U+FE76-FEFC',
  },
];

/** Package and subset of the other scripts with one file; the first that has a character wins. */
const SCRIPTS: readonly [from: string, subset: string][] = [
  [NOTO, 'latin-ext'],
  [NOTO, 'cyrillic'],
  [NOTO, 'cyrillic-ext'],
  [NOTO, 'greek'],
  [NOTO, 'greek-ext'],
  [NOTO, 'vietnamese'],
  [NOTO, 'devanagari'],
  ['@fontsource/noto-sans-armenian', 'armenian'],
  ['@fontsource/noto-sans-bengali', 'bengali'],
  ['@fontsource/noto-sans-ethiopic', 'ethiopic'],
  ['@fontsource/noto-sans-georgian', 'georgian'],
  ['@fontsource/noto-sans-tamil', 'tamil'],
  ['@fontsource/noto-sans-thai', 'thai'],
];

const WEIGHTS = [400, 700] as const;

const files = createRequire(import.meta.url);
/** Base64 fonts by file. Those of the large scripts, megabytes in all, are read when needed. */
const kept = new Map<string, string>();

/** Matches characters that are in no common subset. */
const RARE = new RegExp(`[^${COMMON.map(({ range }) => classOf(range)).join('')}]`, 'gu');
const NOT_LATIN = new RegExp(`[^${classOf(COMMON[0].range)}]`, 'u');

function classOf(range: string): string {
  return range
    .split(',')
    .map((part) => part.replace('U+', '').split('-'))
    .map((ends) => ends.map((end) => `\\u{${end}}`).join('-'))
    .join('');
}

/** The font families of a document, as value of `font-family`. */
export function familiesOf(place?: number): string {
  const family = familyOf(place);
  return `'${family}','${wide(family)}'`;
}

/** The `@font-face` rules for a text, in two weights, with embedded fonts: nothing is fetched. */
export function fontFaces(text: string): string {
  const [latin, ...others] = COMMON;
  const isLatin = !NOT_LATIN.test(text);
  return (
    commonRules([latin, ...(isLatin ? [] : others.filter(({ range }) => has(range, text)))]) + rareFaces(text)
  );
}

function has(range: string, text: string): boolean {
  return new RegExp(`[${classOf(range)}]`, 'u').test(text);
}

/** The common faces for the document at `place`. */
export function commonFaces(place: number): string {
  return commonRules(COMMON, place);
}

function commonRules(faces: readonly Face[], place?: number): string {
  return faces.map((face) => rulesOf(face, familyOf(place), place)).join('');
}

/** The other faces that a text needs. */
export function rareFaces(text: string, place?: number): string {
  const rare = new Set(text.match(RARE));
  if (rare.size === 0) return '';
  const isJapanese = KANA.test(text);
  const scripts = new Set<Face>();
  const slices = new Map<Face, string[]>();
  for (const character of rare) {
    const script = ofScript(character);
    if (script !== undefined) {
      scripts.add(script);
      continue;
    }
    const slice = ofWide(character, isJapanese);
    if (slice === undefined) continue;
    const range = `U+${character.codePointAt(0)?.toString(16)}`;
    slices.set(slice, [...(slices.get(slice) ?? []), range]);
  }
  const family = familyOf(place);
  return [
    ...[...scripts].map((face) => rulesOf(face, family, place)),
    // Han characters are in three packages, so a slice covers only this text's characters.
    ...[...slices].map(([face, ranges]) =>
      rule({
        family: wide(family),
        weight: '100 900',
        range: ranges.join(','),
        data: read(fileOf(face, 'wght')),
        place,
      }),
    ),
  ].join('');
}

/** Replaces characters that none of our fonts have, and emoji, by `replacement`. */
export function withoutUndrawn(text: string, replacement: (character: string) => string): string {
  return text.replace(RARE, (character) => {
    const isDrawn = !EMOJI.test(character) && (ofScript(character) ?? ofWide(character, false)) !== undefined;
    return isDrawn ? character : replacement(character);
  });
}

/** Pictures, flags and their modifiers; © and ™ are letters to a font. */
const EMOJI =
  /[\p{Extended_Pictographic}\p{Emoji_Modifier}\p{Regional_Indicator}\ufe0e\ufe0f\u20e3\u{e0020}-\u{e007f}]/u;

const KANA = /[\u3040-\u30ff]/u;
const HANGUL = /\p{Script=Hangul}/u;
let scripts: Points | undefined;
const wides = new Map<string, Points>();

function ofScript(character: string): Face | undefined {
  scripts ??= pointsOf(SCRIPTS);
  return scripts.get(character.codePointAt(0) ?? 0);
}

/** Chinese, Japanese and Korean draw many characters differently. */
function ofWide(character: string, isJapanese: boolean): Face | undefined {
  const point = character.codePointAt(0) ?? 0;
  const order = HANGUL.test(character) ? ['kr'] : isJapanese ? ['jp', 'sc', 'kr'] : ['sc', 'jp', 'kr'];
  for (const name of order) {
    const known = wides.get(name) ?? readPoints(`@fontsource-variable/noto-sans-${name}`);
    wides.set(name, known);
    const face = known.get(point);
    if (face !== undefined) return face;
  }
  return undefined;
}

function familyOf(place: number | undefined): string {
  return place === undefined ? FONT_FAMILY : `${FONT_FAMILY} ${place}`;
}

/** A separate family: faces of all weights would hide those of one weight. */
function wide(family: string): string {
  return `${family} Wide`;
}

function rulesOf(face: Face, family: string, place: number | undefined): string {
  return WEIGHTS.map((weight) => {
    const file = fileOf(face, weight);
    const data = kept.get(file) ?? read(file);
    kept.set(file, data);
    return rule({ family, weight, range: face.range, data, place });
  }).join('');
}

/**
 * A browser treats equal font URLs as one font, and embeds the glyphs of all texts on the page. With `place` in
 * the URL, each document has its own font.
 */
function rule(face: {
  family: string;
  weight: number | string;
  range: string;
  data: string;
  place: number | undefined;
}): string {
  const parameter = face.place === undefined ? '' : `place=${face.place};`;
  return `@font-face{font-family:'${face.family}';font-weight:${face.weight};font-style:normal;src:url(data:font/woff2;${parameter}base64,${face.data}) format('woff2');unicode-range:${face.range}}`;
}

function fileOf(face: Pick<Face, 'package' | 'name'>, weight: number | 'wght'): string {
  return `${face.package}/files/${face.name}-${weight}-normal.woff2`;
}

function read(file: string): string {
  return readFileSync(files.resolve(file)).toString('base64');
}
