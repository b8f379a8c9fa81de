import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';

/** A font file of a package, its name without the weight, and its characters as CSS ranges. */
export interface Face {
  package: string;
  name: string;
  range: string;
}

/** The font file of each code point. */
export type Points = ReadonlyMap<number, Face>;

const files = createRequire(import.meta.url);

/** Maps the code points of these subsets; the first subset that has a character wins. */
export function pointsOf(subsets: readonly (readonly [from: string, subset: string])[]): Points {
  return pointsIn(
    subsets.map(([from, subset]) => {
      const range = rangesOf(from).get(subset);
      if (range === undefined) throw new Error(`${from} has no subset ${subset}`);
      return { package: from, name: `${baseOf(from)}-${subset}`, range };
    }),
  );
}

/** Maps the code points of a package whose script is split into numbered slices. */
export function readPoints(from: string): Points {
  const faces = [...rangesOf(from)].flatMap(([subset, range]) => {
    const slice = /^\[(\d+)\]$/.exec(subset)?.[1];
    return slice === undefined ? [] : [{ package: from, name: `${baseOf(from)}-${slice}`, range }];
  });
  return pointsIn(faces);
}

function baseOf(from: string): string {
  return from.slice(from.indexOf('/') + 1);
}

/** Ranges by subset, as published with the fonts. */
function rangesOf(from: string): Map<string, string> {
  const known: unknown = JSON.parse(readFileSync(files.resolve(`${from}/unicode.json`), 'utf8'));
  return new Map(Object.entries(known ?? {}).map(([subset, range]) => [subset, String(range)]));
}

function pointsIn(faces: readonly Face[]): Points {
  const points = new Map<number, Face>();
  for (const face of faces) {
    for (const part of face.range.split(',')) {
      const [first = 0, last = first] = part
        .replace('U+', '')
        .split('-')
        .map((end) => Number.parseInt(end, 16));
      for (let point = first; point <= last; point += 1) {
        if (!points.has(point)) points.set(point, face);
      }
    }
  }
  return points;
}
