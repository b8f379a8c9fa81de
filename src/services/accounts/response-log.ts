import type { Database } from '../../db/database.js';
import { insertResponses, type LoggedResponse } from '../../db/queries/accounts/response-logs.js';

const LOGGED_BYTES = 60_000;
const MAX_WAITING = 1000;

/**
 * Logs API v1's responses in the background, without failing or delaying requests: writes the waiting ones in one
 * statement. `onTrouble` receives the errors.
 */
export function createResponseLog(db: Pick<Database, 'run' | 'select'>, onTrouble: (error: unknown) => void) {
  const waiting: LoggedResponse[] = [];
  let writing: Promise<void> | null = null;
  const writeAll = async () => {
    try {
      while (waiting.length > 0) await insertResponses(db, waiting.splice(0, 50));
    } catch (error) {
      // The others would fail too.
      waiting.length = 0;
      onTrouble(error);
    } finally {
      writing = null;
    }
  };
  return {
    /** Adds a response, its body cut to 60,000 bytes. Returns at once. */
    add(response: LoggedResponse): void {
      if (waiting.length >= MAX_WAITING) return;
      waiting.push({ ...response, body: cutToBytes(response.body, LOGGED_BYTES) });
      writing ??= Promise.resolve().then(writeAll);
    },
    /** Resolves when all added responses are written or given up. */
    async settled(): Promise<void> {
      await writing;
    },
  };
}

/** The longest prefix of at most `maxBytes` UTF-8 bytes that ends with a complete character. */
export function cutToBytes(text: string, maxBytes: number): string {
  const bytes = Buffer.from(text, 'utf8');
  if (bytes.length <= maxBytes) return text;
  // In a stream, the rest of the last character may follow, so its beginning is held back.
  return new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes.subarray(0, maxBytes), { stream: true });
}
