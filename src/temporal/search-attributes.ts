import { setTimeout as delay } from 'node:timers/promises';
import type { Client } from '@temporalio/client';
import proto from '@temporalio/proto';
import { SEARCH_ATTRIBUTES } from '../contracts/search-attributes.js';

/** A server keeps what it knows of attributes for a minute at most. */
const KNOWN_WITHIN_MS = 90_000;
const LOOK_EVERY_MS = 50;
const INVALID_ARGUMENT = 3;

/**
 * Registers the search attributes that are missing in the client's namespace, and waits until runs may have them.
 * @returns the names of the new ones
 */
export async function ensureSearchAttributes(client: Client): Promise<string[]> {
  const { namespace } = client.options;
  const { operatorService } = client.connection;
  const present = await operatorService.listSearchAttributes({ namespace });
  const known = new Set(Object.keys(present.customAttributes ?? {}));
  const missing = Object.values(SEARCH_ATTRIBUTES)
    .map(({ name }) => name)
    .filter((name) => !known.has(name));
  if (missing.length === 0) return [];
  const keyword = proto.temporal.api.enums.v1.IndexedValueType.INDEXED_VALUE_TYPE_KEYWORD;
  await operatorService.addSearchAttributes({
    namespace,
    searchAttributes: Object.fromEntries(missing.map((name) => [name, keyword])),
  });
  await untilKnown(client, missing);
  return missing;
}

/** A server that does not know an attribute yet refuses queries for it, and runs that have it. */
async function untilKnown(client: Client, names: readonly string[]): Promise<void> {
  const query = names.map((name) => `${name} = 'none'`).join(' AND ');
  const until = Date.now() + KNOWN_WITHIN_MS;
  for (;;) {
    try {
      await client.workflow.count(query);
      return;
    } catch (error) {
      if (!isInvalidArgument(error) || Date.now() > until) throw error;
    }
    await delay(LOOK_EVERY_MS);
  }
}

function isInvalidArgument(error: unknown): boolean {
  const cause = error instanceof Error && error.cause !== undefined ? error.cause : error;
  return typeof cause === 'object' && cause !== null && 'code' in cause && cause.code === INVALID_ARGUMENT;
}
