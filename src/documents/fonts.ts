import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';

/** Name of the family whose faces {@link fontFaces} gives. */
export const FONT_FAMILY = 'Noto Sans Document';

interface Subset {
  package: string;
  name: string;
  /** CSS `unicode-range`, as published with the font. */
  range: string;
  /** Matches a text that needs the subset. */
  needed: RegExp;
  /** Most documents need it: a page that prints keeps it loaded. */
  common?: true;
}

const NOTO = '@fontsource/noto-sans';

/** The subsets that documents can need. Latin is in every one; the others come with the characters they hold. */
const SUBSETS: readonly Subset[] = [
  {
    package: NOTO,
    name: 'noto-sans-latin',
    range:
      'U+0000-00FF,U+0131,U+0152-0153,U+02BB-02BC,U+02C6,U+02DA,U+02DC,U+2000-206F,U+20AC,U+2122,U+2191,U+2193,U+2212,U+2215,U+FEFF,U+FFFD',
    needed: /^/,
    common: true,
  },
  {
    package: NOTO,
    name: 'noto-sans-latin-ext',
    range: 'U+0100-02BA,U+1E00-1E9F,U+1EF2-1EFF,U+2020,U+20A0-20A9,U+20AD-20B3,U+20B5-20C0,U+2C60-2C7F',
    needed: /[\u0100-\u02ba\u1e00-\u1e9f\u1ef2-\u1eff\u2020\u20a0-\u20a9\u20ad-\u20b3\u20b5-\u20c0]/,
  },
  {
    package: '@fontsource/noto-sans-hebrew',
    name: 'noto-sans-hebrew-hebrew',
    range: 'U+0307-0308,U+0590-05FF,U+20AA,U+25CC,U+FB1D-FB4F',
    needed: /[\u0590-\u05ff\u20aa\ufb1d-\ufb4f]/,
    common: true,
  },
  {
    package: '@fontsource/noto-sans-arabic',
    name: 'noto-sans-arabic-arabic',
    range:
      'U+0600-06FF,U+0750-077F,U+0870-088E,U+0890-0891,U+0897-08E1,U+08E3-08FF,U+204F,U+2E41,U+FB50-FDFF,U+FE70-FE74,U+FE76-FEFC',
    needed: /[\u0600-\u06ff\u0750-\u077f\u0870-\u08ff\ufb50-\ufdff\ufe70-\ufefc]/,
    common: true,
  },
  {
    package: NOTO,
    name: 'noto-sans-cyrillic',
    range: 'U+0301,U+0400-045F,U+0490-0491,U+04B0-04B1,U+2116',
    needed: /[\u0400-\u045f\u0490\u0491\u04b0\u04b1\u2116]/,
  },
  {
    package: NOTO,
    name: 'noto-sans-cyrillic-ext',
    range: 'U+0460-048F,U+0492-04AF,U+04B2-052F,U+20B4,U+2DE0-2DFF,U+A640-A69F',
    needed: /[\u0460-\u048f\u0492-\u04af\u04b2-\u052f\u20b4]/,
  },
  {
    package: NOTO,
    name: 'noto-sans-greek',
    range: 'U+0370-03FF',
    needed: /[\u0370-\u03ff]/,
  },
  {
    package: NOTO,
    name: 'noto-sans-vietnamese',
    range: 'U+0300-0304,U+0308-0309,U+0323,U+0329,U+1EA0-1EF1,U+20AB',
    needed: /[\u0300-\u0304\u0309\u0323\u1ea0-\u1ef1\u20ab]/,
  },
  {
    package: NOTO,
    name: 'noto-sans-devanagari',
    range: 'U+0900-097F,U+20B9,U+A8E0-A8FF',
    needed: /[\u0900-\u097f\u20b9]/,
  },
];

const WEIGHTS = [400, 700] as const;

const files = createRequire(import.meta.url);
const faces = new Map<Subset, readonly string[]>();

/** The `@font-face` rules that a text needs, in two weights, with the fonts inside: nothing is fetched. */
export function fontFaces(text: string): string {
  return facesOf(
    SUBSETS.filter(({ needed }) => needed.test(text)),
    FONT_FAMILY,
  );
}

/** Name of the family that the document in this place of a page has for itself. */
export function placeFamily(place: number): string {
  return `${FONT_FAMILY} ${place}`;
}

/** The faces of {@link placeFamily} that most documents need. */
export function commonFaces(place: number): string {
  return facesOf(
    SUBSETS.filter(({ common }) => common === true),
    placeFamily(place),
    place,
  );
}

/** The other faces of {@link placeFamily} that a text needs. */
export function rareFaces(text: string, place: number): string {
  return facesOf(
    SUBSETS.filter(({ common, needed }) => common !== true && needed.test(text)),
    placeFamily(place),
    place,
  );
}

/**
 * A browser takes fonts from one address as one font, and embeds of it what all texts of a page need together. With
 * `place` in the address each place has a font of its own.
 */
function facesOf(subsets: readonly Subset[], family: string, place?: number): string {
  const parameter = place === undefined ? '' : `place=${place};`;
  return subsets
    .flatMap((subset) =>
      dataOf(subset).map(
        (data, index) =>
          `@font-face{font-family:'${family}';font-weight:${WEIGHTS[index]};font-style:normal;src:url(data:font/woff2;${parameter}base64,${data}) format('woff2');unicode-range:${subset.range}}`,
      ),
    )
    .join('');
}

/** The subset's fonts in base64, one a weight. */
function dataOf(subset: Subset): readonly string[] {
  const known = faces.get(subset);
  if (known !== undefined) return known;
  const data = WEIGHTS.map((weight) => {
    const file = files.resolve(`${subset.package}/files/${subset.name}-${weight}-normal.woff2`);
    return readFileSync(file).toString('base64');
  });
  faces.set(subset, data);
  return data;
}
