import type { IncomingHttpHeaders } from 'node:http';
import type { Operation } from './faults.js';
import type { Ledger, Parcel } from './ledger.js';
import type { SandboxStatuses } from './statuses.js';

/** Settings of `POST /__config`. */
export interface SandboxConfig {
  /** Refuses repeated references, as the real carrier does. Off shows double bookings. */
  rejectDuplicates: boolean;
  /** The look-up by reference finds nothing, as if the service did not ask. Shows double bookings too. */
  hidesParcels: boolean;
  /** Required bearer token; null for none. */
  token: string | null;
  charset: 'utf-8' | 'windows-1255';
  /** URL for status changes; null for none. */
  webhookUrl: string | null;
  /** Key of webhook signatures, if the protocol signs. */
  webhookSecret: string;
}

/** `target` is the raw path and query. */
export interface SandboxRequest {
  method: string;
  target: string;
  headers: IncomingHttpHeaders;
  /** UTF-8; empty without a body. */
  body: string;
}

export interface SandboxCall extends SandboxRequest {
  ledger: Ledger;
  config: SandboxConfig;
  nowMs: number;
}

export interface SandboxReply {
  status: number;
  contentType: string;
  body: Buffer;
}

/** A posted status change. */
export interface SandboxWebhook {
  headers: Record<string, string>;
  body: string;
}

/** One carrier's wire format. */
export interface SandboxProtocol {
  /** The request's operation; undefined when it is none. */
  operationOf(request: Pick<SandboxRequest, 'method' | 'target'>): Operation | undefined;
  /** Whether the request is authenticated in the carrier's way. */
  isAuthorized(request: SandboxRequest, token: string): boolean;
  /** Executes the operation and returns the carrier's reply. */
  answer(operation: Operation, call: SandboxCall): SandboxReply;
  /** The carrier's refusal inside HTTP 200; nothing is done. */
  refuse(operation: Operation, carrierCode: number, config: SandboxConfig): SandboxReply;
  /** Every status of the carrier. */
  readonly statuses: SandboxStatuses;
  /** Moves the parcel to a status given by the carrier's word; absent when that only adds an event. */
  advance?(parcel: Parcel, word: string, nowMs: number): void;
  /** The carrier's post of the newest status; absent for a carrier without webhooks. */
  webhook?(parcel: Parcel, config: SandboxConfig, nowMs: number): SandboxWebhook;
}
