import { randomUUID } from 'node:crypto';
import type { IncomingMessage } from 'node:http';

/** The caller's `X-Request-Id` if it is one header of 1–128 visible ASCII characters, else a new one. */
export function requestIdOf(req: IncomingMessage): string {
  const values = req.headersDistinct['x-request-id'] ?? [];
  const [sent] = values;
  const usable = values.length === 1 && sent !== undefined && /^[\x21-\x7e]{1,128}$/.test(sent);
  return usable ? sent : randomUUID();
}
