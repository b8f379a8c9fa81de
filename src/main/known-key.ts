import { setTimeout as delay } from 'node:timers/promises';
import { ConfigError } from '../config/environment.js';
import type { Executor } from '../db/database.js';
import type { AppKeys } from '../lib/app-keys.js';
import { appKeyTrouble, noteAppKeys } from '../services/accounts/app-keys.js';
import { failProcess } from './process.js';

/** @throws ConfigError when `APP_KEY` lacks a key of the database, or has another one under its id */
export async function requireKnownKey(db: Executor, appKeys: AppKeys): Promise<void> {
  const trouble = await appKeyTrouble(db, appKeys);
  if (trouble !== null) throw new ConfigError(`The environment does not fit the database:\n  ${trouble}`);
  await noteAppKeys(db, appKeys);
}

/**
 * {@link requireKnownKey} in the background: a process starts while MySQL is down, and ends once the key proves
 * wrong.
 */
export async function watchKnownKey(name: string, db: Executor, appKeys: AppKeys): Promise<void> {
  const isKnown = async () => {
    try {
      await requireKnownKey(db, appKeys);
      return true;
    } catch (error) {
      if (error instanceof ConfigError) throw error;
      return false;
    }
  };
  const askAgain = async () => {
    do await delay(1000, undefined, { ref: false });
    while (!(await isKnown()));
  };
  if (!(await isKnown())) askAgain().catch((error: unknown) => failProcess(name, error));
}
