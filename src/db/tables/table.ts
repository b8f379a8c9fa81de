import { isoToSql } from '../../lib/time.js';
import type { Executor, Row, RunResult, SqlValue } from '../connection.js';
import * as row from '../row.js';
import { Field, type Selection, shape } from '../selection.js';
import { placeholders } from '../sql.js';

/** How a column is stored, read (by a reader of `row.ts`) and written. */
class Column<T> {
  constructor(
    readonly type: string,
    readonly read: (row: Row, column: string) => T,
    readonly write: (value: unknown) => SqlValue = plain,
    readonly options: { allowNull?: boolean; primaryKey?: boolean } = {},
  ) {}

  /** The column may be NULL. */
  null(): Column<T | null> {
    const read = (values: Row, column: string) =>
      values[column] === null ? null : this.read(values, column);
    const write = (value: unknown) => (value === null ? null : this.write(value));
    return new Column(this.type, read, write, { ...this.options, allowNull: true });
  }

  /** The column is the primary key, or part of it. */
  primary(): Column<T> {
    return new Column(this.type, this.read, this.write, { ...this.options, primaryKey: true });
  }
}

type Columns = Record<string, Column<unknown>>;
type Values<C extends Columns> = { [K in keyof C]: C[K] extends Column<infer T> ? T : never };
type Fields<C extends Columns> = { readonly [K in keyof C]: Field<Values<C>[K]> };
/** Undefined means any account and must be passed explicitly. */
type OfAccount<C extends Columns> = C extends { accountId: unknown }
  ? { accountId: number | undefined }
  : unknown;
type Where<C extends Columns> = Partial<Omit<Values<C>, 'accountId'>> & OfAccount<C>;
type Changes<C extends Columns> = { readonly [K in keyof C]?: Values<C>[K] | undefined };
type NewRow<C extends Columns> = Changes<C> &
  (C extends { accountId: Column<infer A> } ? { accountId: A } : unknown);

/** Values for columns of a table. An undefined value keeps the column's default or present value. */
export type ChangesOf<T> = T extends Table<infer C> ? Changes<C> : never;
/** {@link ChangesOf} with the account, where the table has one. */
export type NewRowOf<T> = T extends Table<infer C> ? NewRow<C> : never;

/** A row as it is read: instants are ISO 8601 UTC with microseconds, JSON is parsed, bytes are a Buffer. */
export type RowOf<T> = T extends Table<infer C> ? Values<C> : never;

/** CHAR, VARCHAR, TEXT, DECIMAL or DATE. */
export const text = (type: string): Column<string> => new Column(type, row.text);
/** ENUM of these. */
export const choice = <const V extends string>(...values: readonly V[]): Column<V> =>
  new Column(`ENUM(${values.map((value) => `'${value}'`).join(',')})`, row.oneOf(values));
/** VARCHAR that holds one of these only. */
export const oneOf = <const V extends string>(type: string, ...values: readonly V[]): Column<V> =>
  new Column(type, row.oneOf(values));
/** VARCHAR whose values `is` accepts. */
export const guarded = <V extends string>(type: string, is: (value: string) => value is V): Column<V> =>
  new Column(type, row.guarded(is));
/** An integer. */
export const int = (type: string): Column<number> => new Column(type, row.int);
/** An integer that is 1 or 2. */
export const oneOrTwo = (type: string): Column<1 | 2> => new Column(type, row.oneOrTwo);
/** The id of a row. */
export const id = (): Column<number> => int('BIGINT UNSIGNED');
/** BOOLEAN. */
export const flag = (): Column<boolean> => new Column('BOOLEAN', row.bool);
/** DATETIME(6). */
export const instant = (): Column<string> =>
  new Column('DATETIME(6)', row.iso, (value) => isoToSql(String(value)));
/** JSON of any shape. */
export const json = (): Column<unknown> => new Column('JSON', row.json, JSON.stringify);
/** JSON that is an object. */
export const jsonObject = () => new Column('JSON', row.jsonObject, JSON.stringify);
/** JSON that is a list of texts. */
export const texts = (): Column<string[]> => new Column('JSON', row.texts, JSON.stringify);
/** BINARY, VARBINARY or BLOB. */
export const bytes = (type: string): Column<Buffer> => new Column(type, row.bytes);

/** Assignments that take a row's turn. Nobody sees it: the time of the last change stays. */
export const NEXT_TURN = 'turn = turn + 1, updated_at = updated_at';

/** The description of one table, with the types of its columns. */
export class Table<C extends Columns> {
  constructor(
    readonly name: string,
    readonly columns: C,
  ) {}

  /** The columns under an alias of the statement, for a {@link shape} or, as text, anywhere in the statement. */
  as(alias: string): Fields<C>;
  as(alias: string): Record<string, Field<unknown>> {
    return this.#fields(`${alias}.`);
  }

  /** Some of its columns, for a statement that reads this table alone. */
  pick<const K extends keyof C & string>(...names: readonly K[]): Selection<Pick<Values<C>, K>>;
  pick(...names: readonly string[]): Selection<Record<string, unknown>> {
    const wanted = Object.entries(this.#fields('')).filter(([name]) => names.includes(name));
    return shape(Object.fromEntries(wanted));
  }

  /** The rows whose columns have these values; `tail` may order, limit and lock them. */
  async find<T>(db: Executor, what: Selection<T>, where: Where<C>, tail = ''): Promise<T[]> {
    const { sql, params } = this.#all(where);
    return await what.select(db, `FROM ${this.name} WHERE ${sql} ${tail}`, params);
  }

  /** The first row of {@link find}; null when there is none. */
  async findOne<T>(db: Executor, what: Selection<T>, where: Where<C>, tail = ''): Promise<T | null> {
    const [first] = await this.find(db, what, where, tail);
    return first ?? null;
  }

  /** {@link insertAll} of one row; returns its AUTO_INCREMENT id, or the explicit `id`. */
  async insert(db: Executor, values: NewRow<C>, tail = ''): Promise<number> {
    const { insertId } = await this.insertAll(db, [values], tail);
    const given: unknown = Object.entries(values).find(([name]) => name === 'id')?.[1];
    return typeof given === 'number' ? given : insertId;
  }

  /**
   * Inserts rows that give the same columns in the same order, in one statement. Undefined values get the column's
   * default; `tail` says what happens where a key exists.
   * @throws DatabaseError; TypeError where the columns differ: values would go to others
   */
  async insertAll(db: Executor, rows: readonly NewRow<C>[], tail = ''): Promise<RunResult> {
    const written = rows.map((row) => this.written(row));
    const [first] = written;
    if (first === undefined) return { affectedRows: 0, insertId: 0 };
    const columns = first.names.join(', ');
    if (written.some(({ names }) => names.join(', ') !== columns))
      throw new TypeError(`Rows of ${this.name} that are inserted together must give the same columns.`);
    const values = written.map(({ params }) => `(${placeholders(params.length)})`).join(', ');
    return await db.run(
      `INSERT INTO ${this.name} (${columns}) VALUES ${values} ${tail}`,
      written.flatMap(({ params }) => params),
    );
  }

  /**
   * Updates the rows whose columns have these values, and returns how many changed: MySQL does not count a row with
   * equal values. Undefined values are left unchanged.
   * @throws DatabaseError
   */
  async update(db: Executor, where: Where<C>, changes: Changes<C>): Promise<number> {
    const { names, params } = this.written(changes);
    if (names.length === 0) return 0;
    const rows = this.#all(where);
    const sets = names.map((name) => `${name} = ?`).join(', ');
    const { affectedRows } = await db.run(`UPDATE ${this.name} SET ${sets} WHERE ${rows.sql}`, [
      ...params,
      ...rows.params,
    ]);
    return affectedRows;
  }

  /**
   * Locks the rows until the transaction ends, as FOR UPDATE does, by changing them: nodes of a Galera cluster compare
   * the rows that transactions change, so that one that is merely locked keeps out nobody who comes by another node.
   * Returns how many rows. The table needs a column `turn`.
   */
  async takeTurn(
    this: Table<C> & { readonly columns: { readonly turn: Column<number> } },
    tx: Executor,
    where: Where<C>,
  ): Promise<number> {
    const { sql, params } = this.#all(where);
    return (await tx.run(`UPDATE ${this.name} SET ${NEXT_TURN} WHERE ${sql}`, params)).affectedRows;
  }

  /**
   * Column names with the values for their placeholders, for a statement written in SQL. Leaves out undefined values
   * and properties that are not columns: an object may hold more than its type says.
   */
  written(values: Changes<C> | Where<C>): { names: string[]; params: SqlValue[] } {
    const given = Object.entries(values).flatMap(([name, value]) => {
      const column = this.columns[name];
      return column === undefined || value === undefined ? [] : [{ name, param: column.write(value) }];
    });
    return { names: given.map(({ name }) => snakeCase(name)), params: given.map(({ param }) => param) };
  }

  #fields(prefix: string): Record<string, Field<unknown>> {
    const fields: Record<string, Field<unknown>> = {};
    for (const [name, { read }] of Object.entries(this.columns))
      fields[name] = new Field(`${prefix}${snakeCase(name)}`, read);
    return fields;
  }

  #all(where: Where<C>): { sql: string; params: SqlValue[] } {
    const { names, params } = this.written(where);
    const given = Object.values(where).filter((value) => value !== undefined);
    if (names.length === 0 || names.length < given.length)
      throw new TypeError(`Rows of ${this.name} are to be found by its columns, and by one at least.`);
    const conditions = names.map((name, index) =>
      params[index] === null ? `${name} IS NULL` : `${name} = ?`,
    );
    return { sql: conditions.join(' AND '), params: params.filter((value) => value !== null) };
  }
}

function plain(value: unknown): SqlValue {
  if (value === null || Buffer.isBuffer(value)) return value;
  if (typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean') return value;
  throw new TypeError(`A column cannot hold a value of type ${typeof value}.`);
}

function snakeCase(name: string): string {
  return name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}

/** Describes a table. Columns are in camelCase here and in snake_case in SQL. */
export function table<C extends Columns>(name: string, columns: C): Table<C> {
  return new Table(name, columns);
}
