import { type Static, type TSchema, Type } from 'typebox';
import { PUBLISHED } from '../openapi-schema.js';
import type { ResponseSpec } from '../operation.js';
import { closedObject, nullableText } from '../schemas.js';

/** A text or null: for requests, where null means "not given". */
export function optionalText(
  description: string,
  options: { maxLength?: number; pattern?: string; format?: string; examples?: unknown[] },
) {
  return Type.Optional(Type.Unsafe<string | null>({ type: ['string', 'null'], ...options, description }));
}

/** A text or integer of at most `maxLength` characters, or null. */
export function optionalTextOrInteger(description: string, maxLength: number) {
  const type = ['string', 'integer', 'null'];
  return Type.Optional(Type.Unsafe<string | number | null>({ type, maxLength, description }));
}

/** An integer from `minimum` to `maximum`, or null. */
export function optionalInteger(
  description: string,
  options: { minimum: number; maximum: number; default?: number },
) {
  return Type.Optional(Type.Unsafe<number | null>({ type: ['integer', 'null'], ...options, description }));
}

/** One of the values, or null. */
export function optionalChoice<T>(description: string, values: readonly T[], options = {}) {
  return Type.Optional(Type.Unsafe<T | null>({ enum: [...values, null], ...options, description }));
}

/** A boolean, 0 or 1, or null. */
export function optionalFlag(description: string) {
  return optionalChoice<boolean | 0 | 1>(description, [true, false, 0, 1]);
}

/** Digits before and after the point of a decimal text; it is rounded to two places. */
export const DECIMAL_DIGITS = '\\d{1,12}(\\.\\d{1,30})?';
const LARGEST_AMOUNT = 999_999_999_999.99;

/** Money as a decimal text or a number. */
export function optionalDecimal(description: string, options: { pattern?: string; minimum?: number } = {}) {
  return Type.Optional(
    Type.Unsafe<string | number | null>({
      type: ['string', 'number', 'null'],
      pattern: `^-?${DECIMAL_DIGITS}$`,
      minimum: -LARGEST_AMOUNT,
      maximum: LARGEST_AMOUNT,
      description,
      ...options,
    }),
  );
}

/** A text with at least one character that is not white space. */
export function requiredText(description: string, maxLength: number) {
  return Type.String({ minLength: 1, maxLength, pattern: '\\S', description });
}

/** A uuid in a path. Published with its format, as in answers; any other text names nothing, which is 404. */
export function pathUuid(description: string, example: string) {
  return Type.String({ [PUBLISHED]: { format: 'uuid' }, description, examples: [example] });
}

/** A carrier in answers. */
export function carrierOf(title: string, description: string) {
  return closedObject(title, description, {
    id: Type.Integer({ description: 'Id of the carrier.' }),
    name: Type.String({ description: 'Name of the carrier.' }),
  });
}

/** A success body: `{ data }`. */
function dataOf<T extends TSchema>(schema: T) {
  return Type.Object({ data: schema }, { additionalProperties: false });
}

/** A success body with all rows: `{ data: [...] }`. `description`: the rows and their order. */
function listOf<T extends TSchema>(schema: T, description: string) {
  return dataOf(Type.Array(schema, { description }));
}

/** The body's field that selects the carrier account. */
export const licenseKeyInput = optionalText(
  'Selects the license (carrier account) by its key; required when several are active.',
  { maxLength: 255, examples: ['lic_main'] },
);

/** A body that only selects the carrier account. */
export const LicenseBody = Type.Object({ license_key: licenseKeyInput });

/** The query parameter that selects the carrier account. */
export const licenseKeyQuery = Type.Optional(
  Type.String({ description: 'Selects the license (carrier account) by its key.', examples: ['lic_main'] }),
);

/** A query that only selects the carrier account. */
export const LicenseQuery = Type.Object({ license_key: licenseKeyQuery });

/** The query parameter of every list. */
export const perPageQuery = Type.Optional(
  Type.Integer({ minimum: 1, maximum: 100, default: 25, description: 'Rows on a page.' }),
);

/** Query parameters of every list with cursors. */
export const cursorQuery = {
  per_page: perPageQuery,
  cursor: Type.Optional(
    Type.String({ maxLength: 512, description: '`meta.next_cursor` or `meta.prev_cursor` of a page.' }),
  ),
};

/** The query of a list with cursors and without filters. */
export const ListQuery = Type.Object({ license_key: licenseKeyQuery, ...cursorQuery });

const LINKS = 'Addresses of other pages, with every query parameter kept.';
const POSITION = 'Position of the page in the list.';

/** A page of rows with its links and meta. */
function pageOf<T extends TSchema, L extends TSchema, M extends TSchema>(row: T, links: L, meta: M) {
  const data = Type.Array(row, { description: 'The rows of this page.' });
  return Type.Object({ data, links, meta }, { additionalProperties: false });
}

const OffsetLinks = closedObject('OffsetLinks', LINKS, {
  first: Type.String({ description: 'The first page.' }),
  last: Type.String({ description: 'The last page.' }),
  prev: nullableText('The page before; null on the first.'),
  next: nullableText('The page after; null on the last.'),
});

const OffsetMeta = closedObject('OffsetMeta', POSITION, {
  current_page: Type.Integer({ description: 'Number of this page, from 1.' }),
  per_page: Type.Integer({ description: 'Rows on a page.' }),
  total: Type.Integer({ description: 'Rows in the whole list.' }),
  last_page: Type.Integer({ description: 'Number of the last page.' }),
});

/** A page of an offset list. */
export function offsetPageOf<T extends TSchema>(row: T) {
  return pageOf(row, OffsetLinks, OffsetMeta);
}

const CursorLinks = closedObject('CursorLinks', LINKS, {
  first: Type.Null({ description: 'Always null.' }),
  last: Type.Null({ description: 'Always null.' }),
  prev: nullableText('The newer page; null on the newest.'),
  next: nullableText('The older page; null on the oldest.'),
});

const CursorMeta = closedObject('CursorMeta', POSITION, {
  path: Type.String({ description: 'Address of the list, without query.' }),
  per_page: Type.Integer({ description: 'Rows on a page.' }),
  next_cursor: nullableText('`cursor` of the older page; null on the oldest.'),
  prev_cursor: nullableText('`cursor` of the newer page; null on the newest.'),
});
export type CursorMetaBody = Static<typeof CursorMeta>;

/** A page of a cursor list. */
function cursorPageOf<T extends TSchema>(row: T) {
  return pageOf(row, CursorLinks, CursorMeta);
}

/** An answer with one thing, documented by an example. */
export function answerOf<T extends TSchema>(
  description: string,
  schema: T,
  example: Static<T>,
  more: Pick<ResponseSpec, 'headers' | 'alternative'> = {},
) {
  return { description, schema: dataOf(schema), example: { data: example }, ...more };
}

/** An answer with all rows, documented by examples of rows. `order`: the rows and their order. */
export function listAnswerOf<T extends TSchema>(
  description: string,
  row: T,
  order: string,
  examples: readonly Static<T>[],
) {
  return { description, schema: listOf(row, order), example: { data: examples } };
}

/** An answer with a page of a cursor list at `path`, documented by rows of its only page. */
export function pageAnswerOf<T extends TSchema>(
  description: string,
  row: T,
  path: string,
  examples: readonly Static<T>[],
) {
  const url = `https://parcels.acme.test/api/v2${path}`;
  const example = {
    data: examples,
    links: { first: null, last: null, prev: null, next: null },
    meta: { path: url, per_page: 25, next_cursor: null, prev_cursor: null },
  };
  return { description, schema: cursorPageOf(row), example };
}
