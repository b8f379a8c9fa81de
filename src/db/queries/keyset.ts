import type { Executor, SqlValue } from '../database.js';
import type { Selection } from '../selection.js';
import { placeholders, type Sql } from '../sql.js';

/** The start of a page: after or before the row with that id, in list order; without either, at the beginning. */
export interface KeysetPage {
  after?: number;
  before?: number;
  /** Rows of the page. */
  limit: number;
}

/** Part of a WHERE clause with its values. Left out when a value is undefined, as for a filter that is not set. */
export type Condition = readonly [sql: string, ...values: (SqlValue | undefined)[]];

/** The source of a list. Its texts must be literals of the program: they are not escaped. */
export interface KeysetQuery {
  /** FROM with joins, and their values. */
  from: string;
  params?: readonly SqlValue[];
  where: readonly Condition[];
  /** Column of the ids that order the list. */
  id: string;
  /** Order by id; newest first by default. */
  order?: 'ASC' | 'DESC';
}

/**
 * The rows of a page in list order. Up to `limit + 1`: the extra row shows that the list goes on. It is the last row,
 * or with `before` the first one.
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

/** The part of a table after a row id, by ascending id, as the operator's lists go through it. */
export interface IdPage {
  afterId: number;
  limit: number;
}

/** The rows of such a part that meet the conditions, `limit` at most. */
export async function selectAfterId<T>(
  db: Executor,
  what: Selection<T>,
  { from, where = [], id }: Pick<KeysetQuery, 'from' | 'id'> & Partial<Pick<KeysetQuery, 'where'>>,
  { afterId, limit }: IdPage,
): Promise<T[]> {
  const { sql, params } = allOf([[`${id} > ?`, afterId], ...where]);
  return await what.select(db, `FROM ${from} WHERE ${sql} ORDER BY ${id} LIMIT ${limit}`, params);
}

/** The part after SELECT in {@link selectPage}; with `before` its rows are in reverse list order. */
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

/** The conditions without undefined values, joined by AND. */
export function allOf(conditions: readonly Condition[]): { sql: string; params: SqlValue[] } {
  const given = conditions.filter(([, ...values]) => !values.includes(undefined));
  return {
    sql: given.map(([sql]) => sql).join(' AND '),
    params: given.flatMap(([, ...values]) => values.filter((value) => value !== undefined)),
  };
}

/** The column holds one of the values. A single one is compared with `=`, so that an index gives the order. */
export function isOneOf(column: string, values: readonly SqlValue[]): Condition {
  return values.length === 1
    ? [`${column} = ?`, ...values]
    : [`${column} IN (${placeholders(values.length)})`, ...values];
}

/** A condition that the column has the text of {@link patternOf} in it. Ignores case, as people search. */
export function contains(column: string): string {
  return `${column} COLLATE utf8mb4_unicode_ci LIKE ?`;
}

/** The value for {@link contains}. */
export function patternOf(part: string): string {
  return `%${beginningOf(part)}`;
}

/** The value for a LIKE that finds what begins with the text, along a key. */
export function beginningOf(text: string): string {
  return `${text.replaceAll(/[\\%_]/g, '\\$&')}%`;
}

/** The shortest word in an InnoDB full-text index. */
const LEAST_WORD = 3;
/** Words of that length that such an index leaves out. */
const UNINDEXED = new Set(
  'about are com for from how that the this was what when where who will with und www'.split(' '),
);

/** The question to a full-text index in boolean mode: all words that begin like those of a text; empty where it has none. */
export function fulltextOf(text: string): string {
  const words = text.match(/[\p{L}\p{M}\p{N}_]+/gu) ?? [];
  return words
    .filter((word) => word.length >= LEAST_WORD && !UNINDEXED.has(word.toLowerCase()))
    .map((word) => `+${word}*`)
    .join(' ');
}
