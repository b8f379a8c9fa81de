/** Millimeters per typographic point. */
export const MM_PER_POINT = 0.3528;
/** Widths in em of Noto Sans Bold, slightly generous: a text measured as fitting must fit. */
const EM = { narrow: 0.34, slim: 0.48, wide: 0.98, capital: 0.75, space: 0.27, other: 0.645 } as const;
/** Measured widths of scripts with wider letters. */
const OF_SCRIPT: readonly [RegExp, number][] = [
  [/\p{Script=Tamil}/u, 1.3],
  [/\p{Script=Ethiopic}/u, 0.9],
  [/(?=\p{Lu})[\p{Script=Cyrillic}\p{Script=Greek}]/u, 0.85],
  [/[\p{Script=Armenian}\p{Script=Georgian}]/u, 0.78],
  [/[\p{Script=Cyrillic}\p{Script=Greek}\p{Script=Devanagari}\p{Script=Bengali}]/u, 0.75],
];
const SQUARE = 1.02;

/** Room for a text, and its allowed sizes. */
export interface Room {
  widthMm: number;
  heightMm: number;
  /** Sizes in points. */
  largest: number;
  smallest: number;
}

/** Line height of fitted texts in em, as in the style sheet. */
const LINE = 1.2;

/** The largest size in points that fits the room; the smallest when none does. */
export function fitSize(text: string, room: Room): number {
  for (let size = room.largest; size > room.smallest; size -= 0.5) {
    if (linesOf(text, size, room.widthMm) * size * LINE * MM_PER_POINT <= room.heightMm) return size;
  }
  return room.smallest;
}

/** Number of lines of the text. Lines break between words, after hyphens, and inside a word that is too wide. */
export function linesOf(text: string, sizePoints: number, widthMm: number): number {
  const lineEm = widthMm / (sizePoints * MM_PER_POINT);
  let lines = 1;
  let used = 0;
  for (const width of wordsEm(text)) {
    if (used > 0 && used + EM.space + width > lineEm) {
      lines += 1;
      used = 0;
    }
    if (width > lineEm) lines += Math.ceil(width / lineEm) - 1;
    used += (used > 0 ? EM.space : 0) + Math.min(width, lineEm);
  }
  return lines;
}

/** Width of a text on one line, in millimetres. */
export function widthMmOf(text: string, sizePoints: number): number {
  return widthEm(text) * sizePoints * MM_PER_POINT;
}

/** A text is measured at many sizes, and again for every package. */
const measured = new Map<string, readonly number[]>();

function wordsEm(text: string): readonly number[] {
  const known = measured.get(text);
  if (known !== undefined) return known;
  const widths = text.split(/\s+|(?<=-)/).map(widthEm);
  if (measured.size >= 1000) measured.clear();
  measured.set(text, widths);
  return widths;
}

function widthEm(word: string): number {
  let width = 0;
  for (const character of word) width += characterEm(character);
  return width;
}

/** Widths of characters up to {@link LAST_NARROW}, filled on use. */
const widths: number[] = [];
/** Later characters are as wide as they are high. */
const LAST_NARROW = '\u2e80';

function characterEm(character: string): number {
  if (character > LAST_NARROW) return measuredEm(character);
  const code = character.charCodeAt(0);
  return (widths[code] ??= measuredEm(character));
}

function measuredEm(character: string): number {
  if (/[ijl.,:;'’|!-]/.test(character)) return EM.narrow;
  if (/[Iftrs()[\]/"]/.test(character)) return EM.slim;
  if (/[mwMW@%&—]/.test(character)) return EM.wide;
  if (/[A-Z]/.test(character)) return EM.capital;
  if (/\p{Mn}/u.test(character)) return 0;
  if (character > LAST_NARROW) return SQUARE;
  return OF_SCRIPT.find(([letters]) => letters.test(character))?.[1] ?? EM.other;
}
