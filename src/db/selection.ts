import type { Executor, Row, SqlValue } from './connection.js';

/** A column or expression of SQL, with its name in the rows. */
export type NamedColumn = readonly [sql: string, name: string];

/** A selection with named columns, and the reader of their rows. */
interface Named<T> {
  columns: readonly NamedColumn[];
  read(row: Row): T;
}

/** The list of a SELECT with the reader of its rows. Selections nest: each value of a {@link shape} is one. */
export class Selection<T> {
  readonly named: (name: string) => Named<T>;
  #whole: Named<T> | undefined;
  #list: string | undefined;

  /** `named`: its columns under a name, or under names that begin with it. */
  constructor(named: (name: string) => Named<T>) {
    this.named = named;
  }

  /** The list as SQL, for {@link read}. */
  get list(): string {
    this.#list ??= this.columns.map(([sql, name]) => `${sql} AS \`${name}\``).join(', ');
    return this.#list;
  }

  /** The columns of {@link list}, by the names that {@link read} knows. */
  get columns(): readonly NamedColumn[] {
    return this.#self().columns;
  }

  /** Reads one row of {@link list}. @throws TypeError when a value is not of its column's type */
  read(row: Row): T {
    return this.#self().read(row);
  }

  /** The same columns with the value mapped. */
  map<U>(change: (value: T) => U): Selection<U> {
    return new Selection((name) => {
      const { columns, read } = this.named(name);
      return { columns, read: (row) => change(read(row)) };
    });
  }

  /** `value` where the first column is NULL, as in an outer join. */
  or<U>(value: U): Selection<T | U> {
    return new Selection((name) => {
      const { columns, read } = this.named(name);
      const first = columns[0]?.[1] ?? '';
      return { columns, read: (row) => (row[first] === null ? value : read(row)) };
    });
  }

  /** The rows that `tail` finds: FROM, WHERE and what follows. @throws DatabaseError, TypeError as {@link read} */
  async select(db: Executor, tail: string, params?: readonly SqlValue[]): Promise<T[]> {
    const rows = await db.select(`SELECT ${this.list} ${tail}`, params);
    return rows.map((row) => this.read(row));
  }

  /** The first row of {@link select}; null when there is none. */
  async first(db: Executor, tail: string, params?: readonly SqlValue[]): Promise<T | null> {
    const [row] = await db.select(`SELECT ${this.list} ${tail}`, params);
    return row === undefined ? null : this.read(row);
  }

  #self(): Named<T> {
    this.#whole ??= this.named('');
    return this.#whole;
  }
}

/** One column or expression, selected alone or in a {@link shape}. In a template it is its SQL. */
export class Field<T> extends Selection<T> {
  constructor(
    readonly sql: string,
    read: (row: Row, column: string) => T,
  ) {
    super((name) => {
      const column = name === '' ? 'value' : name;
      return { columns: [[sql, column]], read: (row) => read(row, column) };
    });
  }

  override toString(): string {
    return this.sql;
  }
}

/** An expression of SQL, read by a reader of `row.ts`. */
export function expression<T>(sql: string, read: (row: Row, column: string) => T): Field<T> {
  return new Field(sql, read);
}

type Parts = Readonly<Record<string, Selection<unknown>>>;
type Shaped<P> = { -readonly [K in keyof P]: P[K] extends Selection<infer T> ? T : never };

/** A row of a selection. */
export type Selected<S> = S extends Selection<infer T> ? T : never;

/** An object of selections, read as an object of their values. Made outside functions where it is hot: one takes 20 µs. */
export function shape<const P extends Parts>(parts: P): Selection<Shaped<P>> {
  return new Selection((name) => {
    const named = Object.entries(parts).map(
      ([key, part]) => [key, part.named(name === '' ? key : `${name}_${key}`)] as const,
    );
    return {
      columns: named.flatMap(([, { columns }]) => columns),
      read: readerOf<P>(named),
    };
  });
}

type NamedParts = readonly (readonly [string, Named<unknown>])[];

/**
 * A function `(row) => ({ id: read0(row), … })`. Compiled, as mysql2 compiles its row parsers: to fill an object key by
 * key takes three times as long, a seventh more for a list of a hundred shipments. The keys stand in our source, so
 * callers cannot reach it.
 */
function readerOf<P extends Parts>(named: NamedParts): (row: Row) => Shaped<P> {
  const reads = named.map(([, { read }]) => read);
  const names = reads.map((_, index) => `read${index}`);
  const properties = named.map(([key], index) => `${JSON.stringify(key)}: ${names[index]}(row)`).join(', ');
  // oxlint-disable-next-line typescript/no-implied-eval, typescript/no-unsafe-call, typescript/no-unsafe-return
  return new Function(...names, `return (row) => ({ ${properties} })`)(...reads);
}
