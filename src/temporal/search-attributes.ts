import type { Client } from '@temporalio/client';
import proto from '@temporalio/proto';
import { SEARCH_ATTRIBUTES } from '../contracts/search-attributes.js';

/** Registers the search attributes that are missing in the client's namespace; returns their names. */
export async function ensureSearchAttributes(client: Client): Promise<string[]> {
  const { namespace } = client.options;
  const { operatorService } = client.connection;
  const present = await operatorService.listSearchAttributes({ namespace });
  const known = new Set(Object.keys(present.customAttributes ?? {}));
  const missing = Object.values(SEARCH_ATTRIBUTES).filter(({ name }) => !known.has(name));
  if (missing.length === 0) return [];
  const keyword = proto.temporal.api.enums.v1.IndexedValueType.INDEXED_VALUE_TYPE_KEYWORD;
  await operatorService.addSearchAttributes({
    namespace,
    searchAttributes: Object.fromEntries(missing.map(({ name }) => [name, keyword])),
  });
  return missing.map(({ name }) => name);
}
