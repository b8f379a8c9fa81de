import type { Client } from '@temporalio/client';
import type { CarrierAdapter } from '../../carriers/contract.js';
import type { Config } from '../../config/config.js';
import { openDatabase } from '../../db/database.js';
import { asStartError } from '../../db/errors.js';
import { createDatabaseIfMissing, migrateDatabase, syncCarriers } from '../../db/migrate.js';
import { StartError } from '../../domain/errors.js';
import { type EngineConfig, openTemporal } from '../../temporal/client.js';
import { requireNamespace } from '../../temporal/entry.js';
import { isUnreadable } from '../../temporal/payload-codec.js';
import { ensureSchedules } from '../../temporal/schedules.js';
import { ensureSearchAttributes } from '../../temporal/search-attributes.js';
import { appKeyTrouble, noteAppKeys } from '../accounts/app-keys.js';

type UpToDateConfig = EngineConfig & Pick<Config, 'databaseUrl' | 'appKeys' | 'pollIntervalSeconds'>;

/**
 * Updates the database (schema, statuses, carriers) and Temporal (search attributes, Schedules) for this
 * version; idempotent. Returns the names of the added migrations and search attributes. Run by one process before workers
 * and API start. @throws StartError when a store is unavailable or refuses, the namespace is missing, or a Schedule
 * cannot be read with the payload keys
 */
export async function bringUpToDate(
  config: UpToDateConfig,
  carriers: readonly CarrierAdapter[],
): Promise<{ migrations: string[]; searchAttributes: string[] }> {
  const migrations = await bringDatabaseUpToDate(config, carriers);
  const searchAttributes = await bringEngineUpToDate(config, carriers);
  return { migrations, searchAttributes };
}

async function bringDatabaseUpToDate(
  { databaseUrl, appKeys }: UpToDateConfig,
  carriers: readonly CarrierAdapter[],
): Promise<string[]> {
  try {
    await createDatabaseIfMissing(databaseUrl);
  } catch (error) {
    throw asStartError(error, databaseUrl);
  }
  const db = openDatabase({ url: databaseUrl, poolSize: 2, statementTimeoutMs: 0 });
  try {
    const migrations = await migrateDatabase(db);
    const trouble = await appKeyTrouble(db, appKeys);
    if (trouble !== null) throw new StartError(trouble);
    await noteAppKeys(db, appKeys);
    await syncCarriers(
      db,
      carriers.map(({ provider, displayName }) => ({ provider, name: displayName })),
    );
    return migrations;
  } finally {
    await db.close();
  }
}

async function bringEngineUpToDate(
  config: UpToDateConfig,
  carriers: readonly CarrierAdapter[],
): Promise<string[]> {
  const temporal = openTemporal(config);
  try {
    await requireNamespace(temporal, config.temporalAddress);
    return await armEngine(temporal, wantedSchedules(config, carriers));
  } finally {
    await temporal.connection.close();
  }
}

/** Adds missing search attributes and writes the Schedules. Returns the names of the added attributes. */
export async function armEngine(
  temporal: Client,
  wanted: Parameters<typeof ensureSchedules>[1],
): Promise<string[]> {
  const added = await ensureSearchAttributes(temporal);
  await ensureSchedules(temporal, wanted).catch(unreadable);
  return added;
}

/** The Schedules for these carriers. */
export function wantedSchedules(
  { pollIntervalSeconds }: Pick<Config, 'pollIntervalSeconds'>,
  carriers: readonly CarrierAdapter[],
): Parameters<typeof ensureSchedules>[1] {
  return {
    providers: carriers.filter(({ status }) => status !== undefined).map(({ provider }) => provider),
    pollIntervalSeconds,
    pickupProviders: carriers.filter(({ pickupPoints }) => pickupPoints).map(({ provider }) => provider),
  };
}

/** A Schedule is read before it is updated, with keys that its payload may not have. */
function unreadable(error: unknown): never {
  throw isUnreadable(error) ? new StartError(`A Schedule cannot be read. ${error.message}`) : error;
}
