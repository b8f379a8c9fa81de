import { setTimeout as delay } from 'node:timers/promises';
import type { Client } from '@temporalio/client';
import proto from '@temporalio/proto';
import { SEARCH_ATTRIBUTES } from '../contracts/search-attributes.js';
import { StartError } from '../domain/errors.js';
import { GRPC } from './outcomes.js';

const ATTRIBUTES_MS = 90_000;

const NAMES = Object.values(SEARCH_ATTRIBUTES).map(({ name }) => name);

const KEYWORD = proto.temporal.api.enums.v1.IndexedValueType.INDEXED_VALUE_TYPE_KEYWORD;

/**
 * Registers missing search attributes in the client's namespace and waits until runs may use them. @returns the
 * new names @throws StartError that names those that have another type, find no room (a namespace has ten Keywords),
 * or are missing where the server permits no additions, as Temporal Cloud
 */
export async function ensureSearchAttributes(client: Client): Promise<string[]> {
  try {
    return await addMissing(client);
  } catch (error) {
    const code = grpcCodeOf(error);
    if (code !== GRPC.permissionDenied && code !== GRPC.unimplemented) throw error;
  }
  const unknown: string[] = [];
  for (const name of NAMES) if (!(await isKnown(client, [name]))) unknown.push(name);
  if (unknown.length === 0) return [];
  throw new StartError(
    `The namespace ${client.options.namespace} has no search attributes ${unknown.join(', ')}, and its server lets ` +
      'nobody add them from here: add them, of the type Keyword, as its operator does.',
  );
}

async function addMissing(client: Client): Promise<string[]> {
  const { namespace } = client.options;
  const { operatorService } = client.connection;
  const present = await operatorService.listSearchAttributes({ namespace });
  const known = new Map(Object.entries(present.customAttributes ?? {}));
  const others = NAMES.filter((name) => known.has(name) && known.get(name) !== KEYWORD);
  if (others.length > 0)
    throw new StartError(
      `In the namespace ${namespace} another application has the search attributes ${others.join(', ')}, of a type ` +
        'that is not Keyword: give Parcelworks a namespace that it shares with nobody.',
    );
  const missing = NAMES.filter((name) => !known.has(name));
  if (missing.length === 0) return [];
  const searchAttributes = Object.fromEntries(missing.map((name) => [name, KEYWORD]));
  await operatorService
    .addSearchAttributes({ namespace, searchAttributes })
    .catch((error) => noRoom(error, namespace, missing));
  await untilKnown(client, missing);
  return missing;
}

function noRoom(error: unknown, namespace: string, missing: readonly string[]): never {
  if (!(error instanceof Error) || grpcCodeOf(error) !== GRPC.invalidArgument) throw error;
  throw new StartError(
    `The namespace ${namespace} has no room for the search attributes ${missing.join(', ')}: give Parcelworks a ` +
      `namespace that it shares with nobody. The server says: ${error.message}`,
  );
}

/** A server that does not know an attribute yet rejects queries and runs with it. */
async function untilKnown(client: Client, names: readonly string[]): Promise<void> {
  const until = Date.now() + ATTRIBUTES_MS;
  while (!(await isKnown(client, names))) {
    if (Date.now() > until) throw new Error(`Temporal does not know ${names.join(', ')} after adding them.`);
    await delay(50);
  }
}

async function isKnown(client: Client, names: readonly string[]): Promise<boolean> {
  try {
    await client.workflow.count(names.map((name) => `${name} = 'none'`).join(' AND '));
    return true;
  } catch (error) {
    if (grpcCodeOf(error) === GRPC.invalidArgument) return false;
    throw error;
  }
}

function grpcCodeOf(error: unknown): unknown {
  const cause = error instanceof Error && error.cause !== undefined ? error.cause : error;
  return typeof cause === 'object' && cause !== null && 'code' in cause ? cause.code : undefined;
}
