import type { SandboxProtocol, SandboxReply } from './protocol.js';

/** A JSON reply. */
export function jsonReply(status: number, value: unknown): SandboxReply {
  return {
    status,
    contentType: 'application/json; charset=utf-8',
    body: Buffer.from(JSON.stringify(value)),
  };
}

/** The members of a JSON object; null for anything else. */
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

/** Appends a status given as our name, or as any number of the carrier's; `numbers`: our name → the carrier's number. */
export function advanceByNumber(numbers: ReadonlyMap<string, string>): SandboxProtocol['advance'] {
  return (parcel, name, nowMs) => {
    if (!numbers.has(name) && !/^\d{1,4}$/.test(name)) return false;
    parcel.cancelled = name === 'cancelled' || name === numbers.get('cancelled');
    parcel.events.push({ status: name, atMs: nowMs });
    return true;
  };
}
