import { createHash } from 'node:crypto';
import type { InboundEvent } from '../carriers/contract.js';
import { insertInboundEvents, type NewInboundEvent } from '../db/queries/inbound-events.js';
import { findInboundLicense } from '../db/queries/licenses.js';
import { LIMITS } from '../lib/limits/values.js';
import { nowIso } from '../lib/time.js';
import type { App } from './app.js';
import type { InboundAddress } from './inbound-addresses.js';

/** The longest tracking code that a shipment can have. */
const MAX_CODE_LENGTH = 64;
const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;

type InboundApp = Pick<App, 'db' | 'carriers' | 'accounts' | 'wake'>;

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

/** Checks and stores a webhook; what `received` counts is in MySQL. @throws DatabaseError where nothing was stored. */
export async function receiveInbound(
  app: InboundApp,
  address: InboundAddress,
  request: InboundRequest,
): Promise<InboundOutcome> {
  const { licenseId, provider, generation } = address;
  const license = await findInboundLicense(app.db, licenseId);
  // A license that is turned off still hears of its parcels: its address ends by a rotation.
  const isOpen = license?.provider === provider && license.generation === generation;
  const reader = isOpen ? app.carriers(provider).webhook : undefined;
  if (reader === undefined) return { kind: 'unknown' };
  const reading = reader.read({ ...request, nowMs: Date.now() }, await app.accounts(licenseId, provider));
  if (reading.kind !== 'events') return reading;
  const at = nowIso();
  const events = reading.events.flatMap((event) => toStored(event, at));
  await insertInboundEvents(app.db, { licenseId, events });
  if (events.length > 0) app.wake([{ kind: 'inbound', licenseId }]);
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
  const isAhead = Date.parse(event.occurredAt) > Date.parse(at) + LIMITS.carriers.aheadMs;
  return [
    {
      eventKey: createHash('sha256').update(id, 'utf8').digest(),
      trackingCode,
      reference: ours,
      event: { ...event, occurredAt: isAhead ? at : event.occurredAt },
    },
  ];
}
