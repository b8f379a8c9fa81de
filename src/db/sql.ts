import type { SqlValue } from './database.js';

/** Part of a statement with its values. */
export interface Sql {
  sql: string;
  params: readonly SqlValue[];
}

/** The rows of several statements together, in no order. */
export function unionOf(parts: readonly Sql[]): Sql {
  const [only, ...others] = parts;
  if (only !== undefined && others.length === 0) return only;
  return {
    sql: parts.map(({ sql }) => `(${sql})`).join(' UNION ALL '),
    params: parts.flatMap(({ params }) => params),
  };
}

/** `?, ?, ?` for a list of that many values. An empty list is `NULL`, which matches nothing. */
export function placeholders(count: number): string {
  return count === 0 ? 'NULL' : Array.from({ length: count }, () => '?').join(', ');
}
