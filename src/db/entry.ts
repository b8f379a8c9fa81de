import { StartError } from '../domain/errors.js';
import { readMysqlUrl } from '../domain/mysql-url.js';
import type { Database } from './database.js';
import { isUnavailable, refusalOf } from './errors.js';

/**
 * Looks whether MySQL lets the process in.
 * @returns null when it does, else a sentence that says that it does not answer: that may pass
 * @throws StartError when it refuses what the URL says, which a person must mend
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

/** An error of a connection as one line for whoever started the process; any other error as it is. */
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
