import type { Executor, Row, SqlValue } from '../database.js';
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

/** What a list reads. Its texts must be literals of the program: they are not escaped. */
export interface KeysetQuery {
  /** SELECT and FROM with joins, and their values. */
  select: string;
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
export async function selectPage(db: Executor, query: KeysetQuery, page: KeysetPage): Promise<Row[]> {
  const { sql, params } = pageSql(query, page);
  const rows = await db.select(sql, params);
  return page.before === undefined ? rows : rows.reverse();
}

/** The statement of {@link selectPage}; with `before` its rows come in the reverse of the list's order. */
export function pageSql(query: KeysetQuery, page: KeysetPage): Sql {
  const { select, params = [], id, order = 'DESC' } = query;
  const [later, earlier] = order === 'ASC' ? ['>', '<'] : ['<', '>'];
  const conditions: Condition[] = [
    ...query.where,
    [`${id} ${later} ?`, page.after],
    [`${id} ${earlier} ?`, page.before],
  ];
  const where = allOf(conditions);
  const ascending = (order === 'ASC') !== (page.before !== undefined);
  return {
    sql: `${select} WHERE ${where.sql} ORDER BY ${id} ${ascending ? 'ASC' : 'DESC'} LIMIT ?`,
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
