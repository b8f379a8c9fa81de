/** Cells of a square symbol by row; true is dark. */
export type Cells = readonly (readonly boolean[])[];

/** Directions of an edge; each next one is a turn clockwise. */
const RIGHT = 0;
const DOWN = 1;
const LEFT = 2;
const UP = 3;
const DIRECTIONS = 4;

/** Clockwise first, so that cells that touch by a corner have separate outlines. */
const TURNS = [1, 0, 3] as const;

/** Edges of dark cells, by start and direction. */
class Edges {
  readonly #left = new Set<number>();
  readonly #width: number;

  constructor(rows: Cells) {
    this.#width = rows.length + 1;
    const isDark = (x: number, y: number) => rows[y]?.[x] === true;
    for (const [y, row] of rows.entries()) {
      for (const [x, dark] of row.entries()) {
        if (!dark) continue;
        if (!isDark(x, y - 1)) this.#left.add(this.#keyOf(x, y, RIGHT));
        if (!isDark(x + 1, y)) this.#left.add(this.#keyOf(x + 1, y, DOWN));
        if (!isDark(x, y + 1)) this.#left.add(this.#keyOf(x + 1, y + 1, LEFT));
        if (!isDark(x - 1, y)) this.#left.add(this.#keyOf(x, y + 1, UP));
      }
    }
  }

  /** Whether there was such an edge. */
  take(x: number, y: number, direction: number): boolean {
    return this.#left.delete(this.#keyOf(x, y, direction));
  }

  #keyOf(x: number, y: number, direction: number): number {
    return (y * this.#width + x) * DIRECTIONS + direction;
  }
}

/**
 * The dark cells as the path of their outlines, a unit a cell. Rectangles by row would leave hairlines between rows
 * on some screens, and a document half as large again. Dark lies on an edge's right, so that the outline of a hole
 * runs the other way round and the hole stays light.
 */
export function outlines(rows: Cells): string {
  const edges = new Edges(rows);
  let path = '';
  // Each outline has an edge to the right.
  for (const [y, row] of rows.entries()) {
    for (const x of row.keys()) {
      if (edges.take(x, y, RIGHT)) path += `M${x} ${y}${lines(x, y, edges)}z`;
    }
  }
  return path;
}

/** Lines of the outline whose first edge, to the right, is taken. */
function lines(startX: number, startY: number, edges: Edges): string {
  let path = '';
  let [x, y, length] = [startX, startY, 0];
  let direction = RIGHT;
  for (;;) {
    if (direction === RIGHT || direction === LEFT) x += direction === RIGHT ? 1 : -1;
    else y += direction === DOWN ? 1 : -1;
    length += 1;
    const turn = TURNS.find((turned) => edges.take(x, y, (direction + turned) % DIRECTIONS));
    if (turn === 0) continue;
    path += `${direction === RIGHT || direction === LEFT ? 'h' : 'v'}${direction === RIGHT || direction === DOWN ? length : -length}`;
    if (turn === undefined) return path;
    direction = (direction + turn) % DIRECTIONS;
    length = 0;
  }
}
