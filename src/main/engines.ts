import type { Client } from '@temporalio/client';
import { LRUCache } from 'lru-cache';
import type { Config } from '../config/config.js';
import { type Executor, openDatabase } from '../db/database.js';
import { ReadOnlyServer, refusalOf } from '../db/errors.js';
import { LIMITS } from '../lib/limits/values.js';
import { clockAhead, mysqlTakesWrites } from '../lib/metrics.js';
import { engineTrouble } from '../temporal/entry.js';

const ANSWER_KEPT_MS = 1000;

/** Whether MySQL takes writes and Temporal answers. */
interface EnginesUp {
  mysql: boolean;
  temporal: boolean;
  /** Why one does not, safe to publish; null when both do. */
  reason: string | null;
}

const NO_ANSWER = 'MySQL does not answer.';
const NO_WRITES = 'MySQL is read-only.';
const CERTIFICATE_ENDED = "MySQL's certificate has ended.";
const REFUSES = {
  user: 'MySQL refuses the user or the password of DATABASE_URL.',
  database: 'MySQL has no such database as DATABASE_URL names, or does not let its user use it.',
  tls: 'MySQL and DATABASE_URL do not agree on TLS.',
} as const;

/**
 * Checks whether the engines answer, at most once a second. Opens a separate MySQL connection: a process whose pool is
 * in use is busy, not broken.
 */
export function createEngineProbe(config: Pick<Config, 'databaseUrl'>, temporal: Client) {
  const db = openDatabase({
    url: config.databaseUrl,
    poolSize: 1,
    statementTimeoutMs: LIMITS.engine.healthMs,
  });
  const databaseTrouble = async () => {
    const late = new Promise<string>((resolve) => {
      setTimeout(() => resolve(NO_ANSWER), LIMITS.engine.healthMs).unref();
    });
    const trouble = db.ping().then(
      () => null,
      (error: unknown) => {
        if (error instanceof ReadOnlyServer) return NO_WRITES;
        const refusal = refusalOf(error);
        if (refusal === null) return NO_ANSWER;
        return refusal.words.includes('certificate has expired') ? CERTIFICATE_ENDED : REFUSES[refusal.what];
      },
    );
    return await Promise.race([trouble, late]);
  };
  const answers = new LRUCache<'both', EnginesUp>({
    max: 1,
    ttl: ANSWER_KEPT_MS,
    async fetchMethod() {
      const [ofMysql, ofTemporal] = await Promise.all([
        databaseTrouble(),
        engineTrouble(temporal, LIMITS.engine.healthMs),
      ]);
      return { mysql: ofMysql === null, temporal: ofTemporal === null, reason: ofMysql ?? ofTemporal };
    },
  });
  const ask = () => answers.forceFetch('both');
  return {
    ask,
    /** Brings the gauges of MySQL's state and of the clock up to date. Never rejects. */
    async measure(): Promise<void> {
      const { mysql, reason } = await ask();
      if (mysql || reason === NO_WRITES) mysqlTakesWrites.set(mysql ? 1 : 0);
      else mysqlTakesWrites.remove();
      await measureClock(db).catch(() => clockAhead.remove());
    },
    close: () => db.close(),
  };
}

/** Between the two readings of this process is MySQL's. */
async function measureClock(db: Executor): Promise<void> {
  const before = Date.now();
  const [row] = await db.select('SELECT UNIX_TIMESTAMP(NOW(6)) AS seconds');
  clockAhead.set((before + Date.now()) / 2000 - Number(row?.seconds));
}
