import { createHash, timingSafeEqual } from 'node:crypto';
import type { KeysetPage } from '../db/queries/keyset.js';
import { validationError } from '../domain/errors.js';
import { problemAt } from '../domain/problems/problem.js';
import type { AppKeys } from '../lib/app-keys.js';
import type { Context } from './route.js';

const PAGE_ITEMS = 2000;
const PAGE_BYTES = 2 * 1024 * 1024;

const MAC_BYTES = 16;

/** A position in a list: rows older than (`next`) or newer than (`prev`) the row with this id. */
interface Cursor {
  direction: 'next' | 'prev';
  id: number;
}

/** A cursor's scope; one of another list, account or filter is refused. A filter that is not set is undefined. */
interface CursorScope {
  list: string;
  accountId: number;
  filters: Readonly<Record<string, string | undefined>>;
}

/** A cursor as opaque text, signed against forgery. */
function encodeCursor(cursor: Cursor, scope: CursorScope, appKeys: AppKeys): string {
  const payload = Buffer.from(`${cursor.direction === 'next' ? 'n' : 'p'}${cursor.id}`);
  const [signature] = signatures(payload, scope, appKeys);
  return Buffer.concat([signature, payload]).toString('base64url');
}

/**
 * Reads a cursor of {@link encodeCursor}.
 * @throws AppError `validation_failed` for a broken, altered or foreign cursor.
 */
function decodeCursor(text: string, scope: CursorScope, appKeys: AppKeys): Cursor {
  const bytes = Buffer.from(text, 'base64url');
  const payload = bytes.subarray(MAC_BYTES);
  const match = /^([np])(\d{1,15})$/.exec(payload.toString('latin1'));
  const isOurs =
    bytes.length > MAC_BYTES &&
    bytes.toString('base64url') === text &&
    signatures(payload, scope, appKeys).some((one) => timingSafeEqual(bytes.subarray(0, MAC_BYTES), one));
  if (!isOurs || match === null) throw validationError({ cursor: [problemAt('cursor', 'cursor')] });
  return { direction: match[1] === 'n' ? 'next' : 'prev', id: Number(match[2]) };
}

/** The first one signs, each is accepted. */
function signatures(payload: Buffer, scope: CursorScope, appKeys: AppKeys): [Buffer, ...Buffer[]] {
  const given = Object.entries(scope.filters).filter(([, value]) => value !== undefined);
  const filters = given.sort(([one], [other]) => (one < other ? -1 : 1));
  const bound = JSON.stringify(['cursor', scope.list, scope.accountId, filters]);
  const digest = createHash('sha256').update(bound).digest();
  const [first, ...others] = appKeys.macs('cursor', Buffer.concat([digest, payload]));
  const cut = (mac: Buffer) => mac.subarray(0, MAC_BYTES);
  return [cut(first), ...others.map(cut)];
}

/** The parts of a request that a cursor list needs. */
type ListContext = Pick<
  Context<unknown, { per_page?: number; cursor?: string }, unknown>,
  'app' | 'accountId' | 'query' | 'request'
>;

/**
 * The requested page as it is sent. `read` returns rows like `selectPage`.
 * @throws AppError `validation_failed` for a foreign cursor
 */
export async function cursorList<T extends { id: number }, B>(
  context: ListContext,
  list: Pick<CursorScope, 'list' | 'filters'>,
  read: (page: KeysetPage) => Promise<readonly T[]>,
  present: (row: T) => B,
) {
  const request = cursorRequest(context, list);
  const { rows, ...rest } = cursorPage(await read(keysetPage(request)), request);
  return { data: rows.map(present), ...rest };
}

/** A row with the room that it takes on a page when it is read in full. */
interface SizedRow {
  id: number;
  /** Default 1. */
  items?: number;
  bytes: number;
}

/** {@link cursorList} as JSON text, with as many rows as fit, at least one if any. `textsOf`: rows in full, as JSON. */
export async function fittingList<T extends SizedRow>(
  context: ListContext,
  list: Pick<CursorScope, 'list' | 'filters'>,
  read: (page: KeysetPage) => Promise<readonly T[]>,
  textsOf: (rows: readonly T[]) => Promise<string[]>,
): Promise<string> {
  const request = cursorRequest(context, list);
  const { cursor, perPage } = request;
  const found = await read(keysetPage(request));
  const backwards = cursor?.direction === 'prev';
  // Counted from the cursor: a page backwards ends with the row next to it.
  const count = fitting((backwards ? found.toReversed() : found).slice(0, perPage));
  const cut = backwards ? found.slice(-(count + 1)) : found.slice(0, count + 1);
  const { rows, links, meta } = cursorPage(cut, { ...request, perPage: Math.max(count, 1) });
  const rest = JSON.stringify({ links, meta: { ...meta, per_page: perPage } });
  return `{"data":[${(await textsOf(rows)).join(',')}],${rest.slice(1)}`;
}

function fitting(sizes: readonly SizedRow[]): number {
  const taken = { items: 0, bytes: 0 };
  let count = 0;
  for (const { items = 1, bytes } of sizes) {
    taken.items += items;
    taken.bytes += bytes;
    if (count > 0 && (taken.items > PAGE_ITEMS || taken.bytes > PAGE_BYTES)) break;
    count += 1;
  }
  return count;
}

/** Position of a page: its list, the caller's cursor and page size, and the data for its links. */
interface CursorRequest {
  scope: CursorScope;
  cursor: Cursor | null;
  perPage: number;
  appKeys: AppKeys;
  url: PageUrl;
}

/** Reads the caller's cursor and page size. @throws AppError `validation_failed` for a foreign cursor */
function cursorRequest(
  { app, accountId, query, request }: ListContext,
  list: Pick<CursorScope, 'list' | 'filters'>,
): CursorRequest {
  const { appKeys, baseUrl } = app.config;
  const scope = { ...list, accountId };
  const cursor = query.cursor === undefined ? null : decodeCursor(query.cursor, scope, appKeys);
  return { scope, cursor, perPage: query.per_page ?? 25, appKeys, url: new PageUrl(baseUrl, request.url) };
}

/** The rows to read for a page. */
function keysetPage({ cursor, perPage }: CursorRequest): KeysetPage {
  if (cursor === null) return { limit: perPage };
  return cursor.direction === 'next'
    ? { after: cursor.id, limit: perPage }
    : { before: cursor.id, limit: perPage };
}

/**
 * Cuts a page out of at most `perPage + 1` rows, newest first, read from the cursor on: the extra row only shows that
 * more exist. Positions are row ids, so inserted rows shift nothing.
 */
function cursorPage<T extends { id: number }>(found: readonly T[], request: CursorRequest) {
  const { scope, cursor, perPage, appKeys, url } = request;
  const cursorAt = (direction: Cursor['direction'], row: T | undefined) =>
    row === undefined ? null : encodeCursor({ direction, id: row.id }, scope, appKeys);
  const hasMore = found.length > perPage;
  const backwards = cursor?.direction === 'prev';
  const rows = backwards ? found.slice(hasMore ? 1 : 0) : found.slice(0, perPage);
  const hasNext = backwards ? rows.length > 0 : hasMore;
  const hasPrev = backwards ? hasMore : cursor !== null && rows.length > 0;
  const next = hasNext ? cursorAt('next', rows.at(-1)) : null;
  const prev = hasPrev ? cursorAt('prev', rows[0]) : null;
  return {
    rows,
    links: {
      first: null,
      last: null,
      prev: prev === null ? null : url.with({ cursor: prev }),
      next: next === null ? null : url.with({ cursor: next }),
    },
    meta: { path: url.path, per_page: perPage, next_cursor: next, prev_cursor: prev },
  };
}

/** The public address of a list, and of its other pages with all query parameters kept. */
export class PageUrl {
  /** Absolute, without query. */
  readonly path: string;
  readonly #query: string;

  /** `url`: path and query as sent. */
  constructor(baseUrl: string, url: string) {
    const [path = '', ...query] = url.split('?');
    this.path = `${baseUrl}${path}`;
    this.#query = query.join('?');
  }

  /** The same list with some parameters replaced. */
  with(parameters: Record<string, string>): string {
    const query = new URLSearchParams(this.#query);
    for (const [name, value] of Object.entries(parameters)) query.set(name, value);
    return `${this.path}?${query.toString()}`;
  }
}

/** Links and meta of a page by number. An empty list has one, empty, page. */
export function offsetPage(total: number, page: number, perPage: number, url: PageUrl) {
  const lastPage = Math.max(1, Math.ceil(total / perPage));
  const at = (number: number) => url.with({ page: String(number) });
  return {
    links: {
      first: at(1),
      last: at(lastPage),
      prev: page > 1 ? at(page - 1) : null,
      next: page < lastPage ? at(page + 1) : null,
    },
    meta: { current_page: page, per_page: perPage, total, last_page: lastPage },
  };
}
