import { setTimeout as delay } from 'node:timers/promises';
import { ConfigError } from '../config/environment.js';
import type { Executor } from '../db/database.js';
import { isAppKey } from '../services/accounts/app-key.js';
import { failProcess } from './process.js';

/** @throws ConfigError when the database was set up with another `APP_KEY`, so that no secret can be decrypted */
export async function requireKnownKey(db: Executor, appKey: Buffer): Promise<void> {
  if (await isAppKey(db, appKey)) return;
  throw new ConfigError(
    'The environment does not fit the database:\n  APP_KEY: must be the one with which the database was set up',
  );
}

/**
 * {@link requireKnownKey} in the background: a process starts while MySQL is down, and ends once the key proves
 * wrong.
 */
export async function watchKnownKey(name: string, db: Executor, appKey: Buffer): Promise<void> {
  const isKnown = async () => {
    try {
      await requireKnownKey(db, appKey);
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
