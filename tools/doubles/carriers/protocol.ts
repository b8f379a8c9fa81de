import type { IncomingHttpHeaders } from 'node:http';
import type { Operation } from './faults.js';
import type { Ledger, Parcel } from './ledger.js';
import type { SandboxStatuses } from './statuses.js';

/** What can be set by `POST /__config`. */
export interface SandboxConfig {
  /** Whether a reference used before is refused, as the real carrier does. Off shows double bookings. */
  rejectDuplicates: boolean;
  /** The bearer token to ask for; null asks for none. */
  token: string | null;
  /** Character set of the replies. */
  charset: 'utf-8' | 'windows-1255';
  /** Where the carrier posts status changes to; null posts nothing. */
  webhookUrl: string | null;
  /** What the carrier signs its webhooks with, where its protocol signs. */
  webhookSecret: string;
}

/** What arrived. `target` is the raw path and query. */
export interface SandboxRequest {
  method: string;
  target: string;
  headers: IncomingHttpHeaders;
  /** UTF-8; empty without a body. */
  body: string;
}

/** A request as the protocol needs it. */
export interface SandboxCall extends SandboxRequest {
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

/** A status change as the carrier posts it. */
export interface SandboxWebhook {
  headers: Record<string, string>;
  body: string;
}

/** One carrier's wire format. */
export interface SandboxProtocol {
  /** Which operation the request is; undefined when it is none. */
  operationOf(request: Pick<SandboxRequest, 'method' | 'target'>): Operation | undefined;
  /** Whether the request carries the token, in the carrier's own way. */
  isAuthorized(request: SandboxRequest, token: string): boolean;
  /** Does the operation and answers as the carrier would. */
  answer(operation: Operation, call: SandboxCall): SandboxReply;
  /** The carrier's refusal inside HTTP 200, nothing done. */
  refuse(operation: Operation, carrierCode: number, config: SandboxConfig): SandboxReply;
  /** Every status that the carrier reports. */
  readonly statuses: SandboxStatuses;
  /** Moves the parcel to one of them, given by the carrier's word; absent where that is one more event. */
  advance?(parcel: Parcel, word: string, nowMs: number): void;
  /** What the carrier posts of the parcel's newest status; absent where it posts nothing. */
  webhook?(parcel: Parcel, config: SandboxConfig, nowMs: number): SandboxWebhook;
}
