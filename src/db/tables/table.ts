import type { Sequelize } from 'sequelize';
import type { Executor, Row, SqlValue } from '../connection.js';
import * as row from '../row.js';

/** How a column is stored, and how it is read: by a reader of `row.ts`. */
class Column<T> {
  constructor(
    readonly type: string,
    readonly read: (row: Row, column: string) => T,
    readonly options: { allowNull?: boolean; primaryKey?: boolean; autoIncrement?: boolean } = {},
  ) {}

  /** The column may be NULL. */
  null(): Column<T | null> {
    const read = (values: Row, column: string) =>
      values[column] === null ? null : this.read(values, column);
    return new Column(this.type, read, { ...this.options, allowNull: true });
  }

  /** The column is the primary key, or part of it. */
  primary(): Column<T> {
    return new Column(this.type, this.read, { ...this.options, primaryKey: true });
  }

  /** The column is the primary key, and the database gives its value. */
  auto(): Column<T> {
    return new Column(this.type, this.read, { ...this.options, primaryKey: true, autoIncrement: true });
  }
}

type Columns = Record<string, Column<unknown>>;
type Values<C extends Columns> = { [K in keyof C]: C[K] extends Column<infer T> ? T : never };

/** A row as it is read: instants are ISO 8601 UTC with microseconds, JSON is parsed, bytes are a Buffer. */
export type RowOf<T> = T extends Table<infer C> ? Values<C> : never;

/** CHAR, VARCHAR, TEXT, ENUM, DECIMAL or DATE. */
export const text = (type: string): Column<string> => new Column(type, row.text);
/** An integer. */
export const int = (type: string): Column<number> => new Column(type, row.int);
/** The id of a row. */
export const id = (): Column<number> => int('BIGINT UNSIGNED');
/** BOOLEAN. */
export const flag = (): Column<boolean> => new Column('BOOLEAN', row.bool);
/** DATETIME(6). */
export const instant = (): Column<string> => new Column('DATETIME(6)', row.iso);
/** JSON of any shape. */
export const json = (): Column<unknown> => new Column('JSON', row.json);
/** BINARY, VARBINARY or BLOB. */
export const bytes = (type: string): Column<Buffer> => new Column(type, row.bytes);

/** The description of one table, with the types of its columns. */
export class Table<C extends Columns> {
  constructor(
    readonly name: string,
    readonly columns: C,
  ) {}

  /** Defines the Sequelize model. Types are raw: Sequelize's own DATETIME would cut microseconds. */
  define(sequelize: Sequelize): void {
    const attributes = Object.entries(this.columns).map(([name, { type, options }]) => [
      name,
      { type, allowNull: false, ...options },
    ]);
    sequelize.define(this.name, Object.fromEntries(attributes), { tableName: this.name });
  }

  /**
   * The named columns of the rows that `tail` (WHERE, ORDER BY, LIMIT, FOR UPDATE) finds.
   * @throws DatabaseError, TypeError when a value is not of its column's type
   */
  async select<K extends keyof C & string>(
    db: Executor,
    only: readonly K[],
    tail: string,
    params: readonly SqlValue[] = [],
  ): Promise<Pick<Values<C>, K>[]> {
    const names = only.map((name) => snakeCase(name)).join(', ');
    const rows = await db.select(`SELECT ${names} FROM ${this.name} ${tail}`, params);
    return rows.map((values) => this.#read(only, values));
  }

  #read<K extends keyof C & string>(only: readonly K[], values: Row): Pick<Values<C>, K>;
  #read(only: readonly string[], values: Row): Record<string, unknown> {
    return Object.fromEntries(only.map((name) => [name, this.columns[name]?.read(values, snakeCase(name))]));
  }
}

function snakeCase(name: string): string {
  return name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}

/** Describes a table. Columns are in camelCase here and in snake_case in SQL. */
export function table<C extends Columns>(name: string, columns: C): Table<C> {
  return new Table(name, columns);
}
