import type { Static, TObject } from 'typebox';
import { type RecipientFilter, type RecipientOrder, SEARCH_FIELDS } from '../../../domain/recipient-list.js';
import type { Input } from '../input.js';
import type { Messages } from '../messages/messages.js';
import { readable } from '../validate.js';
import { instantOf } from './instant.js';
import type { LIST_INPUT } from './schema.js';

type ListInput = Static<TObject<typeof LIST_INPUT>>;

/** Checks that `from` and `to` are days or instants. */
export function checkPeriod(input: Input, say: Messages): Record<string, string[]> {
  const wrong = ['from', 'to'].filter((name) => {
    const value = input[name];
    return typeof value === 'string' && instantOf(value, 'first') === null;
  });
  return Object.fromEntries(wrong.map((name) => [name, [say.notADate(readable(name))]]));
}

export function filterOf(input: ListInput): RecipientFilter {
  const parts = [input, input.search_by ?? {}].flatMap((searches) =>
    SEARCH_FIELDS.flatMap((field): RecipientFilter['parts'] => {
      const part = searches[field];
      return part === undefined ? [] : [[field, part]];
    }),
  );
  return {
    parts,
    activeOnly: input.active_only ?? false,
    ...given('search', input.search),
    ...given('accountId', input.customer),
    ...given('companyId', input.company),
    ...given('licenseId', input.license),
    ...given('flag', input.flag),
    ...given('type', input.type),
    ...given('status', input.status),
    ...given('createdFrom', input.from === undefined ? undefined : instantOf(input.from, 'first')),
    ...given('createdTo', input.to === undefined ? undefined : instantOf(input.to, 'last')),
    ...given('labelGenerated', input.label_generated),
  };
}

/** Sort order; a column without a direction, or the reverse, is ignored. */
export function orderOf({ sort_by, sort_direction, sort_by_warehouse }: ListInput): RecipientOrder {
  const explicit =
    sort_by === undefined || sort_direction === undefined
      ? null
      : { column: sort_by, descending: sort_direction === 'desc' };
  return { explicit, byWarehouse: sort_by_warehouse ?? 'desc' };
}

function given<K extends string, V>(name: K, value: V | null | undefined): { [key in K]?: V } {
  const entry: { [key in K]?: V } = {};
  if (value !== null && value !== undefined) entry[name] = value;
  return entry;
}
