import type { Random } from '../seeded-random.js';
import { FAULTS } from './faults.js';
import type { Table } from './table.js';

/** Of four faults three are kills and cuts, which campaigns are counted by. */
const OF_FOUR = [true, true, true, false].map((isKillOrCut) =>
  Object.keys(FAULTS).filter((name) => FAULTS[name]?.isKillOrCut === isKillOrCut),
);

/** A kind of fault: one of those with the most empty cells, as long as cells are empty. */
export function nextKind(table: Table, random: Random): string {
  const open = OF_FOUR.filter((kinds) => kinds.some((kind) => table.missing(kind).size > 0));
  const kinds = random.pick(open.length > 0 ? open : OF_FOUR);
  const most = Math.max(...kinds.map((kind) => table.missing(kind).size));
  return random.pick(kinds.filter((kind) => table.missing(kind).size === most));
}
