import type { Database } from '../db/database.js';
import { insertResponses, type LoggedResponse } from '../db/queries/response-logs.js';
import { LIMITS } from '../lib/limits/values.js';

/** Keeps the answers of API v1, beside the requests: nothing here fails or delays one. */
export interface ResponseLog {
  /** Takes an answer that was sent; its body is cut to 60,000 bytes. Returns at once. */
  add(response: LoggedResponse): void;
  /** Resolves when everything that was taken is written or given up. */
  settled(): Promise<void>;
}

/** Writes what has come meanwhile in one statement. `onTrouble` is told what could not be written. */
export function createResponseLog(
  db: Pick<Database, 'run' | 'select'>,
  onTrouble: (error: unknown) => void,
): ResponseLog {
  const waiting: LoggedResponse[] = [];
  let writing: Promise<void> | null = null;
  const writeAll = async () => {
    try {
      while (waiting.length > 0) await insertResponses(db, waiting.splice(0, 50));
    } catch (error) {
      // The others would meet the same.
      waiting.length = 0;
      onTrouble(error);
    } finally {
      writing = null;
    }
  };
  return {
    add(response) {
      if (waiting.length >= LIMITS.requests.loggedWaiting) return;
      waiting.push({ ...response, body: cutToBytes(response.body, LIMITS.requests.loggedBytes) });
      writing ??= Promise.resolve().then(writeAll);
    },
    settled: async () => {
      await writing;
    },
  };
}

/** The longest beginning of the text that has at most so many bytes of UTF-8 and ends with a whole character. */
export function cutToBytes(text: string, maxBytes: number): string {
  const bytes = Buffer.from(text, 'utf8');
  if (bytes.length <= maxBytes) return text;
  let end = maxBytes;
  // A byte 10xxxxxx goes on with the character before it.
  while (end > 0 && ((bytes[end] ?? 0) & 0xc0) === 0x80) end -= 1;
  return bytes.toString('utf8', 0, end);
}
