import type { Executor, SqlValue } from '../database.js';
import type { Selection } from '../selection.js';
import { placeholders, type Sql } from '../sql.js';

/** Where a page begins: after the row with that id or before it, in the list's order; with neither at the beginning. */
export interface KeysetPage {
  after?: number;
  before?: number;
  /** Rows of the page. */
  limit: number;
}

/** Part of a WHERE clause with its values; left out when its value is undefined, as that of a filter not given. */
export type Condition = readonly [sql: string, ...values: (SqlValue | undefined)[]];

/** Where a list is read from. Its texts must be literals of the program: they are not escaped. */
export interface KeysetQuery {
  /** FROM with joins, and their values. */
  from: string;
  params?: readonly SqlValue[];
  where: readonly Condition[];
  /** Column of the ids by which the list is ordered. */
  id: string;
  /** The list's order by id; newest first unless told. */
  order?: 'ASC' | 'DESC';
}

/**
 * The rows of a page in the list's order. Up to `limit + 1`: the one too many tells that the list goes on. It is the
 * last row, or with `before` the first one.
 */
export async function selectPage<T>(
  db: Executor,
  what: Selection<T>,
  query: KeysetQuery,
  page: KeysetPage,
): Promise<T[]> {
  const { sql, params } = pageTail(query, page);
  const rows = await what.select(db, sql, params);
  return page.before === undefined ? rows : rows.reverse();
}

/** What follows SELECT in {@link selectPage}; with `before` its rows come in the reverse of the list's order. */
export function pageTail(query: KeysetQuery, page: KeysetPage): Sql {
  const { from, params = [], id, order = 'DESC' } = query;
  const [later, earlier] = order === 'ASC' ? ['>', '<'] : ['<', '>'];
  const conditions: Condition[] = [
    ...query.where,
    [`${id} ${later} ?`, page.after],
    [`${id} ${earlier} ?`, page.before],
  ];
  const where = allOf(conditions);
  const ascending = (order === 'ASC') !== (page.before !== undefined);
  return {
    sql: `FROM ${from} WHERE ${where.sql} ORDER BY ${id} ${ascending ? 'ASC' : 'DESC'} LIMIT ?`,
    params: [...params, ...where.params, page.limit + 1],
  };
}

/** The conditions whose values are all given, joined by AND. */
export function allOf(conditions: readonly Condition[]): { sql: string; params: SqlValue[] } {
  const given = conditions.filter(([, ...values]) => !values.includes(undefined));
  return {
    sql: given.map(([sql]) => sql).join(' AND '),
    params: given.flatMap(([, ...values]) => values.filter((value) => value !== undefined)),
  };
}

/** The column holds one of the values. A single one is compared with `=`, so that an index still gives the order. */
export function isOneOf(column: string, values: readonly SqlValue[]): Condition {
  return values.length === 1
    ? [`${column} = ?`, ...values]
    : [`${column} IN (${placeholders(values.length)})`, ...values];
}
