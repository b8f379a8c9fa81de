import { STEPS, type Step } from './under-way.js';

/** How often each kind of fault hit each step that it can hit. */
export class Table {
  readonly #rows = new Map<string, Map<Step, number>>();

  /** Adds a kind of fault, with the steps that it can hit. */
  add(kind: string, steps: readonly Step[]): void {
    this.#rows.set(kind, new Map(steps.map((step) => [step, 0])));
  }

  count(kind: string, steps: Iterable<Step>): void {
    const row = this.#rows.get(kind);
    for (const step of steps) {
      const hits = row?.get(step);
      if (hits !== undefined) row?.set(step, hits + 1);
    }
  }

  /** Steps that the kind can hit and has not. */
  missing(kind: string): ReadonlySet<Step> {
    const row = this.#rows.get(kind) ?? new Map<Step, number>();
    return new Set([...row].filter(([, hits]) => hits === 0).map(([step]) => step));
  }

  /** Cells that nothing hit, as `kind × step`. */
  get empty(): string[] {
    return [...this.#rows.keys()].flatMap((kind) =>
      [...this.missing(kind)].map((step) => `${kind} × ${step}`),
    );
  }

  /** In Markdown; a dash is a step that the fault cannot hit. */
  get markdown(): string {
    const line = (cells: readonly (string | number)[]) => `| ${cells.join(' | ')} |`;
    const rows = [...this.#rows].map(([kind, row]) =>
      line([kind, ...STEPS.map((step) => row.get(step) ?? '–')]),
    );
    return [line(['fault', ...STEPS]), line(['---', ...STEPS.map(() => '---:')]), ...rows].join('\n');
  }
}
