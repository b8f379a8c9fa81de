import { EventEmitter, once } from 'node:events';

/** Operations that faults can target. */
const OPERATIONS = [
  'book',
  'find',
  'cancel',
  'status',
  'label',
  'points',
  'quote',
  'region',
  'slots',
] as const;
export type Operation = (typeof OPERATIONS)[number];

const KINDS = [
  'latency',
  'latency_after',
  'hold',
  'status',
  'drop_before',
  'drop_after',
  'truncate',
  'error_in_200',
  'none',
] as const;

/**
 * A requested fault. `latency` waits `value` ms before the operation, `latency_after` before its reply; `hold`
 * keeps requests before the operation until cleared; `status` answers HTTP `value` (with `after`, after the
 * operation); `drop_before` and `drop_after` cut the connection; `truncate` does the operation and sends half
 * of the reply (with `value` 1 as if complete); `error_in_200` refuses with the carrier's code `value`.
 */
export interface Fault {
  operation: Operation | null;
  kind: Exclude<(typeof KINDS)[number], 'none'>;
  value: number | undefined;
  after: boolean;
  /** Remaining requests to hit; 0 means until cleared. */
  times: number;
}

/** Pending faults, oldest first. */
export class Faults {
  #waiting: Fault[] = [];
  readonly #cleared = new EventEmitter().setMaxListeners(0);

  /** A copy of the pending faults. */
  get waiting(): Fault[] {
    return this.#waiting.map((fault) => ({ ...fault }));
  }

  /** Adds a fault; kind `none` clears those of the operation, or all. Returns an error message for invalid input. */
  add(body: unknown): string | null {
    if (typeof body !== 'object' || body === null) return 'The body must be an object.';
    const given = new Map<string, unknown>(Object.entries(body));
    const kind = KINDS.find((name) => name === given.get('kind'));
    if (kind === undefined) return `kind must be one of ${KINDS.join(', ')}.`;
    const named = given.get('operation') ?? null;
    const operation = OPERATIONS.find((name) => name === named) ?? null;
    if (named !== null && operation === null) return `operation must be one of ${OPERATIONS.join(', ')}.`;
    if (kind === 'none') {
      this.#waiting = this.#waiting.filter((fault) => operation !== null && fault.operation !== operation);
      this.#cleared.emit('cleared');
      return null;
    }
    const value = numberOf(given.get('value'));
    const times = numberOf(given.get('times')) ?? 1;
    if (kind === 'status' && !(value !== undefined && value >= 200 && value <= 599)) {
      return 'value must be an HTTP status.';
    }
    this.#waiting.push({ operation, kind, value, after: given.get('after') === true, times });
    return null;
  }

  /** Resolves when no `hold` blocks the operation. */
  async released(operation: Operation): Promise<void> {
    while (this.#waiting.some((fault) => fault.kind === 'hold' && isAimedAt(fault, operation))) {
      await once(this.#cleared, 'cleared');
    }
  }

  /** Takes the faults for this request: all pending latencies and the oldest other one. */
  take(operation: Operation): Fault[] {
    const hits: Fault[] = [];
    let other = false;
    for (const fault of this.#waiting) {
      if (fault.kind === 'hold' || !isAimedAt(fault, operation)) continue;
      const latency = fault.kind === 'latency' || fault.kind === 'latency_after';
      if (!latency && other) continue;
      other ||= !latency;
      hits.push({ ...fault });
      fault.times = fault.times === 0 ? 0 : fault.times === 1 ? -1 : fault.times - 1;
    }
    this.#waiting = this.#waiting.filter((fault) => fault.times >= 0);
    return hits;
  }
}

function isAimedAt(fault: Fault, operation: Operation): boolean {
  return fault.operation === null || fault.operation === operation;
}

function numberOf(value: unknown): number | undefined {
  const number = typeof value === 'string' && value !== '' ? Number(value) : value;
  return typeof number === 'number' && Number.isInteger(number) && number >= 0 ? number : undefined;
}
