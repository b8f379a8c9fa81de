import test from 'ava';
import { type Cells, outlines } from '../../src/documents/labels/outlines.js';

const EDGE = 12;

test('outlines: the filled path is the cells again, also around holes and corners that touch', (t) => {
  const corners = [
    [true, false],
    [false, true],
  ];
  const ring = [
    [true, true, true],
    [true, false, true],
    [true, true, true],
  ];
  for (const rows of [corners, ring, ...Array.from({ length: 200 }, (_, seed) => grid(seed))]) {
    t.deepEqual(filled(outlines(rows), rows.length), rows);
  }
});

test('outlines: a straight edge is one line', (t) => {
  t.is(outlines([[true, true]].concat([[true, true]])), 'M0 0h2v2h-2v-2z');
});

/** Cells of a repeatable pattern. */
function grid(seed: number): Cells {
  let state = seed + 1;
  const next = () => {
    state = (state * 48_271) % 2_147_483_647;
    return state % 2 === 0;
  };
  return Array.from({ length: EDGE }, () => Array.from({ length: EDGE }, next));
}

/** Fills by the nonzero rule, as SVG does: vertical lines left of a cell's middle, counted by direction. */
function filled(path: string, side: number): boolean[][] {
  const lines: { x: number; from: number; to: number }[] = [];
  let [x, y] = [0, 0];
  for (const [, command, first = '', second] of path.matchAll(/([MhvVz])(-?\d+)?(?: (\d+))?/g)) {
    const number = Number(first);
    if (command === 'M') [x, y] = [number, Number(second)];
    if (command === 'h') x += number;
    if (command === 'v') {
      lines.push({ x, from: y, to: y + number });
      y += number;
    }
  }
  const winding = (column: number, row: number) =>
    lines
      .filter((line) => line.x <= column && Math.min(line.from, line.to) <= row)
      .filter((line) => Math.max(line.from, line.to) > row)
      .reduce((sum, line) => sum + Math.sign(line.to - line.from), 0);
  return Array.from({ length: side }, (_, row) =>
    Array.from({ length: side }, (_, column) => winding(column, row) !== 0),
  );
}
