import { createHash } from 'node:crypto';
import type { CarrierAccount, CarrierAdapter, InboundEvent } from '../carriers/contract.js';
import { MAX_AHEAD_MS } from '../carriers/readings.js';
import type { Config } from '../config/config.js';
import type { WakeTarget } from '../contracts/wake.js';
import type { Database } from '../db/database.js';
import { insertInboundEvents, type NewInboundEvent } from '../db/queries/inbound-events.js';
import { findInboundLicense } from '../db/queries/licenses.js';
import { nowIso } from '../lib/time.js';
import { type InboundAddress, readInboundAddress } from './inbound-addresses.js';

/** The longest tracking code that a shipment can have. */
const MAX_CODE_LENGTH = 64;
const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;

interface Deps {
  config: Pick<Config, 'appKey'>;
  db: Database;
  carriers(provider: string): CarrierAdapter;
  accounts(licenseId: number, provider: string): Promise<CarrierAccount>;
  /** Starts what applies the events that were stored; returns at once. */
  wake(targets: readonly WakeTarget[]): void;
}

/** A webhook as it came, with its headers' names in lower case. */
export interface InboundRequest {
  headers: Readonly<Record<string, string | undefined>>;
  body: Buffer;
}

/** `received`: stored, `count` events. `unknown`: no such address any more. `text` never quotes the message. */
export type InboundOutcome =
  | { kind: 'received'; count: number }
  | { kind: 'unknown' }
  | { kind: 'forged' | 'unreadable'; text: string };

/** Takes in what carriers tell by webhook. */
export interface InboundServices {
  /** The address that a path names; null when it is none that we made. Asks nobody. */
  addressOf(path: { provider: string; token: string }): InboundAddress | null;
  /** Checks and stores a webhook; what `received` counts is in MySQL. @throws DatabaseError where nothing was stored. */
  receive(address: InboundAddress, request: InboundRequest): Promise<InboundOutcome>;
}

/** The services over the database and the adapters' readers. */
export function createInboundServices(deps: Deps): InboundServices {
  return {
    addressOf: (path) => readInboundAddress(deps.config, path),
    receive: (address, request) => receive(deps, address, request),
  };
}

async function receive(
  deps: Deps,
  address: InboundAddress,
  request: InboundRequest,
): Promise<InboundOutcome> {
  const { licenseId, provider, generation } = address;
  const license = await findInboundLicense(deps.db, licenseId);
  // A license that is turned off still hears of its parcels: its address ends by a rotation.
  const isOpen = license?.provider === provider && license.generation === generation;
  const reader = isOpen ? deps.carriers(provider).webhook : undefined;
  if (reader === undefined) return { kind: 'unknown' };
  const reading = reader.read({ ...request, nowMs: Date.now() }, await deps.accounts(licenseId, provider));
  if (reading.kind !== 'events') return reading;
  const at = nowIso();
  const events = reading.events.flatMap((event) => toStored(event, at));
  await insertInboundEvents(deps.db, { licenseId, events });
  if (events.length > 0) deps.wake([{ kind: 'inbound', licenseId }]);
  return { kind: 'received', count: reading.events.length };
}

/** None of an event that names no parcel which could be ours: nothing will ever be found for it. */
function toStored({ id, event, ...named }: InboundEvent, at: string): NewInboundEvent[] {
  const trackingCode =
    named.trackingCode === null || named.trackingCode === '' || named.trackingCode.length > MAX_CODE_LENGTH
      ? null
      : named.trackingCode;
  const reference = named.reference?.toLowerCase() ?? '';
  const ours = UUID.test(reference) ? reference : null;
  if (trackingCode === null && ours === null) return [];
  const isAhead = Date.parse(event.occurredAt) > Date.parse(at) + MAX_AHEAD_MS;
  return [
    {
      eventKey: createHash('sha256').update(id, 'utf8').digest(),
      trackingCode,
      reference: ours,
      event: { ...event, occurredAt: isAhead ? at : event.occurredAt },
    },
  ];
}
