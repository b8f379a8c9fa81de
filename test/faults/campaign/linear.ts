/** One call of a client, with the times around it; `end` is infinite while nobody knows what came of it. */
export interface Timed {
  start: number;
  end: number;
}

/** The rules of a key, or of any other thing that stands for itself. States are compared by their JSON. */
export interface Model<State, Operation> {
  initial: State;
  /** States after the operation with its answer; none where the answer is wrong in this state. */
  next(state: State, operation: Operation): State[];
}

/** An operation, and the name that it shares with those in whose place it can stand. */
interface Named<Operation> {
  name: string;
  operation: Operation;
}

/**
 * Whether the operations can have happened one at a time, each between its start and its end, with these answers: the
 * search of Wing and Gong with Lowe's memory of what was tried, as in Porcupine. An operation without an end may have
 * happened at any time after its start, or never; of equal ones the first to start stands for all.
 */
export function isLinearizable<State, Operation extends Timed>(
  operations: readonly Operation[],
  { initial, next }: Model<State, Operation>,
): boolean {
  const tried = new Set<string>();
  const search = (waiting: readonly Named<Operation>[], state: State): boolean => {
    const firstEnd = Math.min(...waiting.map(({ operation }) => operation.end));
    if (firstEnd === Number.POSITIVE_INFINITY) return true;
    const key = `${JSON.stringify(state)} ${waiting.map(({ name }) => name).join()}`;
    if (tried.has(key)) return false;
    tried.add(key);
    const names = new Set<string>();
    return waiting.some((one, index) => {
      if (one.operation.start > firstEnd || names.has(one.name)) return false;
      names.add(one.name);
      const rest = waiting.toSpliced(index, 1);
      return next(state, one.operation).some((after) => search(rest, after));
    });
  };
  return search(named(operations), initial);
}

function named<Operation extends Timed>(operations: readonly Operation[]): Named<Operation>[] {
  const kinds: string[] = [];
  return operations
    .toSorted((one, other) => one.start - other.start)
    .map((operation, index) => {
      if (operation.end !== Number.POSITIVE_INFINITY) return { name: String(index), operation };
      const kind = JSON.stringify({ ...operation, start: 0 });
      if (!kinds.includes(kind)) kinds.push(kind);
      return { name: `open ${kinds.indexOf(kind)}`, operation };
    });
}
