import type { Client } from '@temporalio/client';
import type { Config } from '../config/config.js';
import { openDatabase } from '../db/database.js';
import { sharedAnswer } from '../lib/shared-answer.js';
import { isEngineUp } from '../temporal/client.js';

const TIMEOUT_MS = 2000;
/** Health is asked by everybody and as often as they like. */
const KEEP_MS = 1000;

/** Which of the two engines answer. */
export interface EnginesUp {
  mysql: boolean;
  temporal: boolean;
}

/** Asks whether the engines answer, at most once a second. */
export interface EngineProbe {
  ask(): Promise<EnginesUp>;
  close(): Promise<void>;
}

/**
 * A probe with a connection to MySQL of its own: a process whose pool is taken by its work is busy, and its engines
 * are up all the same.
 */
export function createEngineProbe(config: Pick<Config, 'databaseUrl'>, temporal: Client): EngineProbe {
  const db = openDatabase({ url: config.databaseUrl, poolSize: 1, statementTimeoutMs: TIMEOUT_MS });
  const isDatabaseUp = async () => {
    const late = new Promise<boolean>((resolve) => {
      setTimeout(() => resolve(false), TIMEOUT_MS).unref();
    });
    const answers = db.ping().then(
      () => true,
      () => false,
    );
    return await Promise.race([answers, late]);
  };
  return {
    ask: sharedAnswer(async () => {
      const [mysql, engine] = await Promise.all([isDatabaseUp(), isEngineUp(temporal, TIMEOUT_MS)]);
      return { mysql, temporal: engine };
    }, KEEP_MS),
    close: () => db.close(),
  };
}
