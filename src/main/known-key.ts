import { setTimeout as delay } from 'node:timers/promises';
import { ConfigError } from '../config/environment.js';
import type { Executor } from '../db/database.js';
import { isAppKey } from '../services/app-key.js';
import { failProcess } from './process.js';

const ASK_AGAIN_MS = 1000;

/** @throws ConfigError where the database stands under another `APP_KEY`: with this one no secret could be read */
export async function requireKnownKey(db: Executor, appKey: Buffer): Promise<void> {
  if (await isAppKey(db, appKey)) return;
  throw new ConfigError(
    'The environment does not fit the database:\n  APP_KEY: must be the one with which the database was set up',
  );
}

/**
 * {@link requireKnownKey} for a process that lives on. While MySQL does not answer the process starts all the same, and
 * ends as soon as the key is known to be wrong.
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
    do await delay(ASK_AGAIN_MS, undefined, { ref: false });
    while (!(await isKnown()));
  };
  if (!(await isKnown())) askAgain().catch((error: unknown) => failProcess(name, error));
}
