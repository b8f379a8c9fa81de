import { StartError } from '../domain/errors.js';
import { readMysqlUrl } from '../domain/mysql-url.js';
import type { Database } from './database.js';
import { isUnavailable, refusalOf } from './errors.js';

/**
 * Checks that MySQL accepts the process.
 * @returns null when it does, else a sentence saying that it does not answer, which may be temporary
 * @throws StartError when it refuses the URL's credentials or database, which a person must fix
 */
export async function askForEntry(db: Database, url: string): Promise<string | null> {
  try {
    await db.ping();
    return null;
  } catch (error) {
    const { message, passes } = entryTrouble(error, url);
    if (passes) return message;
    throw new StartError(message);
  }
}

/** A connection error as one line for the console; any other error unchanged. */
export function asStartError(error: unknown, url: string): unknown {
  if (refusalOf(error) === null && !isUnavailable(error)) return error;
  return new StartError(entryTrouble(error, url).message);
}

function entryTrouble(error: unknown, url: string): { message: string; passes: boolean } {
  const { host, port } = readMysqlUrl(url);
  const refusal = refusalOf(error);
  const words = refusal?.words ?? (error instanceof Error ? error.message : String(error));
  const does = refusal === null ? 'does not answer' : 'refuses DATABASE_URL';
  return {
    message: `MySQL at ${host}:${port} ${does}: ${words.replace(/\s+/g, ' ').trim()}`,
    passes: refusal === null,
  };
}
