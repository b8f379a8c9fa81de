import type { SandboxReply } from './protocol.js';

export function jsonReply(status: number, value: unknown): SandboxReply {
  return {
    status,
    contentType: 'application/json; charset=utf-8',
    body: Buffer.from(JSON.stringify(value)),
  };
}

/** Members of a JSON object; null for anything else. */
export function objectOf(text: string): Map<string, unknown> | null {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null && !Array.isArray(value)
      ? new Map(Object.entries(value))
      : null;
  } catch {
    return null;
  }
}
