import { isoToSql } from '../../lib/time.js';
import type { Executor, Row, RunResult, SqlValue } from '../connection.js';
import * as row from '../row.js';
import { Field, type Selection, shape } from '../selection.js';
import { placeholders } from '../sql.js';
import { type Given, TableModel } from './model.js';

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

/** Options of {@link Table.find}. */
interface Finding<C extends Columns> {
  order?: ((keyof C & string) | [column: keyof C & string, direction: 'DESC'])[];
  limit?: number;
  /** Locks them until the transaction ends, as FOR UPDATE. */
  lock?: boolean;
}

/** The effect of an INSERT where a key exists; without it, it fails. */
interface Inserting<C extends Columns> {
  /** Columns that the row with the key gets from the new one. One of the key leaves that row as it is. */
  replacing?: readonly (keyof C & string)[];
}

/** Assignments that take a row's turn. Nobody sees it: the time of the last change stays. */
export const NEXT_TURN = 'turn = turn + 1, updated_at = updated_at';

const NOTHING_DONE: RunResult = { affectedRows: 0, insertId: 0 };

/** The description of one table, with the types of its columns. */
export class Table<C extends Columns> {
  #model: TableModel | undefined;

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

  /** The rows whose columns have these values. @throws DatabaseError */
  async find<T>(
    db: Executor,
    what: Selection<T>,
    where: Where<C>,
    { order = [], limit, lock = false }: Finding<C> = {},
  ): Promise<T[]> {
    const options = { where: this.#all(where), order, limit, lock };
    const rows = await this.#asModel().find(db, what.columns, options);
    return rows.map((found) => what.read(found));
  }

  /** The first row of {@link find}; null when there is none. */
  async findOne<T>(
    db: Executor,
    what: Selection<T>,
    where: Where<C>,
    options: Finding<C> = {},
  ): Promise<T | null> {
    const [first] = await this.find(db, what, where, options);
    return first ?? null;
  }

  /** {@link insertAll} of one row; returns its AUTO_INCREMENT id, or the explicit `id`. */
  async insert(db: Executor, values: NewRow<C>, options: Inserting<C> = {}): Promise<number> {
    const { insertId } = await this.insertAll(db, [values], options);
    const given: unknown = Object.entries(values).find(([name]) => name === 'id')?.[1];
    return typeof given === 'number' ? given : insertId;
  }

  /**
   * Inserts rows that give the same columns in the same order, in one statement. Undefined values get the column's
   * default.
   * @throws DatabaseError; TypeError where the columns differ: values would go to others
   */
  async insertAll(
    db: Executor,
    rows: readonly NewRow<C>[],
    { replacing }: Inserting<C> = {},
  ): Promise<RunResult> {
    const given = this.#alike(rows);
    if (given === null) return NOTHING_DONE;
    return await this.#asModel().insert(db, { ...given, replacing });
  }

  /** {@link insertAll} as text, where milliseconds matter or `tail` says more than which columns are replaced. */
  async insertText(db: Executor, rows: readonly NewRow<C>[], tail = ''): Promise<RunResult> {
    const given = this.#alike(rows);
    if (given === null) return NOTHING_DONE;
    const names = given.columns.map(snakeCase).join(', ');
    const values = given.rows.map(({ length }) => `(${placeholders(length)})`).join(', ');
    return await db.run(`INSERT INTO ${this.name} (${names}) VALUES ${values} ${tail}`, given.rows.flat());
  }

  /**
   * Updates the rows whose columns have these values, and returns how many changed: MySQL does not count a row with
   * equal values. Undefined values are left unchanged.
   * @throws DatabaseError
   */
  async update(db: Executor, where: Where<C>, changes: Changes<C>): Promise<number> {
    const values = this.#given(changes);
    if (values.length === 0) return 0;
    return (await this.#asModel().update(db, this.#all(where), values)).affectedRows;
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
    const found = this.#all(where);
    const conditions = found.map(
      ([name, value]) => `${snakeCase(name)} ${value === null ? 'IS NULL' : '= ?'}`,
    );
    const params = found.map(([, value]) => value).filter((value) => value !== null);
    const sql = `UPDATE ${this.name} SET ${NEXT_TURN} WHERE ${conditions.join(' AND ')}`;
    return (await tx.run(sql, params)).affectedRows;
  }

  /**
   * Column names with the values for their placeholders, for a statement written in SQL. Leaves out undefined values
   * and properties that are not columns: an object may hold more than its type says.
   */
  written(values: Changes<C>): { names: string[]; params: SqlValue[] } {
    const given = this.#given(values);
    return { names: given.map(([name]) => snakeCase(name)), params: given.map(([, value]) => value) };
  }

  #asModel(): TableModel {
    this.#model ??= new TableModel(this.name, this.columns, snakeCase);
    return this.#model;
  }

  #given(values: Changes<C> | Where<C>): Given[] {
    return Object.entries(values).flatMap(([name, value]): Given[] => {
      const column = this.columns[name];
      return column === undefined || value === undefined ? [] : [[name, column.write(value)]];
    });
  }

  /** The columns of all rows, with the values of each. */
  #alike(rows: readonly NewRow<C>[]): { columns: string[]; rows: SqlValue[][] } | null {
    const given = rows.map((row) => this.#given(row));
    const columns = given[0]?.map(([name]) => name);
    if (columns === undefined) return null;
    if (given.some((row) => row.length !== columns.length || row.some(([name], at) => name !== columns[at])))
      throw new TypeError(`Rows of ${this.name} that are inserted together must give the same columns.`);
    return { columns, rows: given.map((row) => row.map(([, value]) => value)) };
  }

  #fields(prefix: string): Record<string, Field<unknown>> {
    const fields: Record<string, Field<unknown>> = {};
    for (const [name, { read }] of Object.entries(this.columns))
      fields[name] = new Field(`${prefix}${snakeCase(name)}`, read);
    return fields;
  }

  #all(where: Where<C>): Given[] {
    const found = this.#given(where);
    const given = Object.values(where).filter((value) => value !== undefined);
    if (found.length === 0 || found.length < given.length)
      throw new TypeError(`Rows of ${this.name} are to be found by its columns, and by one at least.`);
    return found;
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
