import { literal, type Model, type ModelStatic, Op, Sequelize, Transaction } from 'sequelize';
import type { Executor, Row, RunResult, SqlValue } from '../connection.js';
import type { NamedColumn } from '../selection.js';
import type { Sql } from '../sql.js';

/** A column, by its name in the description, and its value. */
export type Given = [name: string, value: SqlValue];

interface DescribedColumn {
  readonly type: string;
  readonly options: { allowNull?: boolean; primaryKey?: boolean };
}

type Values = Record<string, unknown>;

/** Makes the statements of the models. It opens no connection: each statement goes to an {@link Executor}. */
const sequelize = new Sequelize({ dialect: 'mysql', logging: false });
/** Sequelize's model of a table. Types are texts and values are as the database has them: a Date would lose microseconds. */
export class TableModel {
  readonly #model: ModelStatic<Model<Values, Values>>;

  constructor(
    tableName: string,
    columns: Readonly<Record<string, DescribedColumn>>,
    fieldOf: (name: string) => string,
  ) {
    const attributes = Object.entries(columns).map(([name, { type, options }]) => [
      name,
      { type, field: fieldOf(name), ...options },
    ]);
    this.#model = sequelize.define(tableName, Object.fromEntries(attributes), {
      tableName,
      timestamps: false,
    });
  }

  async find(
    db: Executor,
    columns: readonly NamedColumn[],
    args: {
      where: readonly Given[];
      order: (string | [string, string])[];
      limit: number | undefined;
      lock: boolean;
    },
  ): Promise<Row[]> {
    const { where, order, limit, lock } = args;
    const values = new BoundValues();
    return await sent(
      (sql, params) => db.select(sql, params),
      values,
      (transaction) =>
        this.#model.findAll({
          ...(limit === undefined ? {} : { limit }),
          attributes: columns.map(([sql, name]) => [literal(sql), name]),
          where: values.conditions(where),
          order,
          lock,
          raw: true,
          transaction,
        }),
    );
  }

  /** `rows`: the values of `columns`. `replacing`: what the row with an existing key gets. */
  async insert(
    db: Executor,
    args: { columns: string[]; rows: readonly SqlValue[][]; replacing: readonly string[] | undefined },
  ): Promise<RunResult> {
    const { columns, rows, replacing } = args;
    const values = new BoundValues();
    const records = rows.map((row) => values.of(row.map((value, at) => [columns[at] ?? '', value])));
    return await sent(
      (sql, params) => db.run(sql, params),
      values,
      (transaction) =>
        this.#model.bulkCreate(records, {
          ...(replacing === undefined ? {} : { updateOnDuplicate: [...replacing] }),
          fields: columns,
          hooks: false,
          returning: false,
          transaction,
        }),
    );
  }

  async update(db: Executor, where: readonly Given[], changes: readonly Given[]): Promise<RunResult> {
    const values = new BoundValues();
    return await sent(
      (sql, params) => db.run(sql, params),
      values,
      (transaction) =>
        this.#model.update(values.of(changes), {
          where: values.conditions(where),
          hooks: false,
          validate: false,
          sideEffects: false,
          transaction,
        }),
    );
  }
}

/**
 * Values go beside the text, as everywhere: errors and logs show the text. Each has its number there, since Sequelize
 * puts conditions on columns whose property has another name behind the others.
 */
class BoundValues {
  readonly #values: SqlValue[] = [];

  of(given: readonly Given[]): Values {
    return Object.fromEntries(given.map(([name, value]) => [name, this.#bound(value)]));
  }

  /** By an operator: Sequelize takes a literal by itself for the whole condition. */
  conditions(where: readonly Given[]) {
    return Object.fromEntries(
      where.map(([name, value]) => [name, value === null ? null : { [Op.eq]: this.#bound(value) }]),
    );
  }

  /** The text with plain placeholders, and their values. */
  placed(sql: string): Sql {
    const params: SqlValue[] = [];
    const text = sql.replaceAll(/\?(\d+)/g, (_, number) => {
      params.push(this.#values[Number(number)] ?? null);
      return '?';
    });
    return { sql: text, params };
  }

  #bound(value: SqlValue) {
    this.#values.push(value);
    return literal(`?${this.#values.length - 1}`);
  }
}

type Answer = (error: Error | null, result?: unknown) => void;

/** A connection as Sequelize's query uses it. */
interface Connected {
  query(statement: { sql: string }, done: Answer): { setMaxListeners(most: number): void };
}

/**
 * Hands the connection's part to an executor, which has the transaction, its time limits and its errors. Sequelize
 * takes the connection of a statement from its transaction.
 */
class Lent extends Transaction {
  readonly connection: Connected;

  constructor(send: (sql: string) => Promise<unknown>) {
    super(sequelize, {});
    this.connection = {
      query: ({ sql }, done) => {
        void answer(send(sql), done);
        return { setMaxListeners: () => undefined };
      },
    };
  }
}

/** Sequelize gets an error without the statement and its number, which it would act on. */
async function answer(sending: Promise<unknown>, done: Answer): Promise<void> {
  const [outcome] = await Promise.allSettled([sending]);
  if (outcome.status === 'fulfilled') done(null, outcome.value);
  else done(new Error('The executor has the error.'));
}

/** Runs the one statement that Sequelize makes, and returns what `send` did. @throws what `send` throws */
async function sent<T>(
  send: (sql: string, params: readonly SqlValue[]) => Promise<T>,
  values: BoundValues,
  make: (transaction: Transaction) => Promise<unknown>,
): Promise<T> {
  let sending: Promise<T> | undefined;
  const lent = new Lent((text) => {
    const { sql, params } = values.placed(text);
    sending = send(sql, params);
    return sending;
  });
  try {
    await make(lent);
  } catch (error) {
    await sending;
    throw error;
  }
  if (sending === undefined) throw new Error('Sequelize sent no statement.');
  return await sending;
}
