import type { Operation } from './faults.js';
import type { Ledger, Parcel } from './ledger.js';

/** What can be set by `POST /__config`. */
export interface SandboxConfig {
  /** Whether a reference used before is refused, as the real carrier does. Off shows double bookings. */
  rejectDuplicates: boolean;
  /** The bearer token to ask for; null asks for none. */
  token: string | null;
  /** Character set of the replies. */
  charset: 'utf-8' | 'windows-1255';
}

/** A request as the protocol needs it. `target` is the raw path and query. */
export interface SandboxCall {
  target: string;
  ledger: Ledger;
  config: SandboxConfig;
  nowMs: number;
}

/** A whole reply. */
export interface SandboxReply {
  status: number;
  contentType: string;
  body: Buffer;
}

/** One carrier's wire format. */
export interface SandboxProtocol {
  /** Which operation the request is; undefined when it is none. */
  operationOf(target: string): Operation | undefined;
  /** Does the operation and answers as the carrier would. */
  answer(operation: Operation, call: SandboxCall): SandboxReply;
  /** The carrier's refusal inside HTTP 200, nothing done. */
  refuse(operation: Operation, carrierCode: number, config: SandboxConfig): SandboxReply;
  /** Appends a status to the parcel; false when the carrier has no such status. */
  advance(parcel: Parcel, status: string, nowMs: number): boolean;
}
