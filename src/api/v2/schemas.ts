import { type Static, type TProperties, type TSchema, Type } from 'typebox';

/** Options that every schema may carry into the published document. */
interface Described {
  description?: string;
  examples?: unknown[];
}

/** ISO 8601 UTC with microseconds and a trailing `Z`. */
const Timestamp = Type.String({
  pattern: '^\\d{4}-\\d{2}-\\d{2}T\\d{2}:\\d{2}:\\d{2}\\.\\d{6}Z$',
  description: 'ISO 8601, UTC, microseconds.',
  examples: ['2026-11-21T09:30:00.123456Z'],
});

/** A {@link Timestamp} or null. */
export const NullableTimestamp = Type.Unsafe<string | null>({
  type: ['string', 'null'],
  pattern: '^\\d{4}-\\d{2}-\\d{2}T\\d{2}:\\d{2}:\\d{2}\\.\\d{6}Z$',
  description: 'ISO 8601, UTC, microseconds; null while it has not happened.',
});

/** A {@link Timestamp} with its description. */
export function when(what: string) {
  return Type.String({ ...Timestamp, description: `${what} ISO 8601, UTC, microseconds.` });
}

/** A {@link NullableTimestamp} with the meanings of both. */
export function whenOrNull(what: string) {
  return Type.Unsafe<string | null>({
    ...NullableTimestamp,
    description: `${what} ISO 8601, UTC, microseconds.`,
  });
}

/** When a row was made. */
export const CreatedAt = when('When it was made.');

/** When a row was last changed. */
export const UpdatedAt = when('When it last changed.');

/** A text or null of any length: for answers. */
export function nullableText(options: Described = {}) {
  return Type.Unsafe<string | null>({ type: ['string', 'null'], ...options });
}

/** A text of at most `maxLength` characters or null: for requests, where null means "not given". */
export function optionalText(maxLength: number, options: Described & { pattern?: string } = {}) {
  return Type.Optional(Type.Unsafe<string | null>({ type: ['string', 'null'], maxLength, ...options }));
}

/** A text or integer of at most `maxLength` characters, or null. */
export function optionalTextOrInteger(maxLength: number, options: Described = {}) {
  return Type.Optional(
    Type.Unsafe<string | number | null>({ type: ['string', 'integer', 'null'], maxLength, ...options }),
  );
}

/** A boolean, 0 or 1, or null. */
export function optionalFlag(options: Described = {}) {
  return Type.Optional(Type.Unsafe<boolean | 0 | 1 | null>({ enum: [true, false, 0, 1, null], ...options }));
}

/** Digits before and after the point of a decimal text; it is rounded to two places. */
export const DECIMAL_DIGITS = '\\d{1,12}(\\.\\d{1,30})?';
const LARGEST_AMOUNT = 999_999_999_999.99;

/** Money as a decimal text or a number. */
export function optionalDecimal(options: Described & { pattern?: string; minimum?: number } = {}) {
  return Type.Optional(
    Type.Unsafe<string | number | null>({
      type: ['string', 'number', 'null'],
      pattern: `^-?${DECIMAL_DIGITS}$`,
      minimum: -LARGEST_AMOUNT,
      maximum: LARGEST_AMOUNT,
      ...options,
    }),
  );
}

/** A text with at least one character that is not white space. */
export function requiredText(maxLength: number, options: Described = {}) {
  return Type.String({ minLength: 1, maxLength, pattern: '\\S', ...options });
}

/** An object whose keys are not ours: passed through as stored. */
export function passedThrough(options: Described = {}) {
  return Type.Unsafe<Record<string, unknown>>({ type: 'object', additionalProperties: true, ...options });
}

/** {@link passedThrough}, or null: for requests. */
export function optionalObject(options: Described = {}) {
  const type = ['object', 'null'];
  return Type.Optional(
    Type.Unsafe<Record<string, unknown> | null>({ type, additionalProperties: true, ...options }),
  );
}

/** A closed object: exactly the fields that a presenter returns. `title` names it in the document. */
export function closedObject<P extends TProperties>(title: string, description: string, properties: P) {
  return Type.Object(properties, { title, description, additionalProperties: false });
}

/** A carrier in answers. */
export function carrierOf(title: string, description: string) {
  return closedObject(title, description, {
    id: Type.Integer({ description: 'Id of the carrier.' }),
    name: Type.String({ description: 'Name of the carrier.' }),
  });
}

/** A success body: `{ data }`. */
export function dataOf<T extends TSchema>(schema: T) {
  return Type.Object({ data: schema }, { additionalProperties: false });
}

/** A success body with all rows: `{ data: [...] }`. `description`: the rows and their order. */
export function listOf<T extends TSchema>(schema: T, description: string) {
  return dataOf(Type.Array(schema, { description }));
}

/** The body's field that selects the carrier account. */
export const licenseKeyInput = optionalText(255, {
  description: 'Selects the license (carrier account) by its key; required when several are active.',
  examples: ['lic_main'],
});

/** The query parameter that selects the carrier account. */
export const licenseKeyQuery = Type.Optional(
  Type.String({ description: 'Selects the license (carrier account) by its key.', examples: ['lic_main'] }),
);

/** Query parameters of every list. */
export const perPageQuery = Type.Optional(
  Type.Integer({ minimum: 1, maximum: 100, default: 25, description: 'Rows on a page.' }),
);

/** Links of an offset list. */
const OffsetLinks = closedObject(
  'OffsetLinks',
  'Addresses of other pages, with every query parameter kept.',
  {
    first: Type.String({ description: 'The first page.' }),
    last: Type.String({ description: 'The last page.' }),
    prev: nullableText({ description: 'The page before; null on the first.' }),
    next: nullableText({ description: 'The page after; null on the last.' }),
  },
);

/** Meta of an offset list. */
const OffsetMeta = closedObject('OffsetMeta', 'Position of the page in the list.', {
  current_page: Type.Integer({ description: 'Number of this page, from 1.' }),
  per_page: Type.Integer({ description: 'Rows on a page.' }),
  total: Type.Integer({ description: 'Rows in the whole list.' }),
  last_page: Type.Integer({ description: 'Number of the last page.' }),
});

/** Links of a cursor list; `first` and `last` are always null. */
const CursorLinks = closedObject(
  'CursorLinks',
  'Addresses of other pages, with every query parameter kept.',
  {
    first: Type.Null({ description: 'Always null.' }),
    last: Type.Null({ description: 'Always null.' }),
    prev: nullableText({ description: 'The newer page; null on the newest.' }),
    next: nullableText({ description: 'The older page; null on the oldest.' }),
  },
);

/** Meta of a cursor list. */
const CursorMeta = closedObject('CursorMeta', 'Position of the page in the list.', {
  path: Type.String({ description: 'Address of the list, without query.' }),
  per_page: Type.Integer({ description: 'Rows on a page.' }),
  next_cursor: nullableText({ description: '`cursor` of the older page; null on the oldest.' }),
  prev_cursor: nullableText({ description: '`cursor` of the newer page; null on the newest.' }),
});

/** A page of an offset list. */
export function offsetPageOf<T extends TSchema>(schema: T) {
  return Type.Object(
    {
      data: Type.Array(schema, { description: 'The rows of this page.' }),
      links: OffsetLinks,
      meta: OffsetMeta,
    },
    { additionalProperties: false },
  );
}

/** A page of a cursor list. */
export function cursorPageOf<T extends TSchema>(schema: T) {
  return Type.Object(
    {
      data: Type.Array(schema, { description: 'The rows of this page.' }),
      links: CursorLinks,
      meta: CursorMeta,
    },
    { additionalProperties: false },
  );
}

export type OffsetLinksBody = Static<typeof OffsetLinks>;
export type OffsetMetaBody = Static<typeof OffsetMeta>;
export type CursorLinksBody = Static<typeof CursorLinks>;
export type CursorMetaBody = Static<typeof CursorMeta>;
