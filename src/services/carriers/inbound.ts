import { createHash } from 'node:crypto';
import type { InboundEvent } from '../../carriers/contract.js';
import { findInboundLicense } from '../../db/queries/accounts/licenses.js';
import { insertInboundEvents, type NewInboundEvent } from '../../db/queries/carriers/inbound-events.js';
import { isUuid } from '../../lib/ids.js';
import { LIMITS } from '../../lib/limits/values.js';
import { nowIso } from '../../lib/time.js';
import type { App } from '../app.js';
import type { InboundAddress } from './inbound-addresses.js';

/** `received`: `count` events were stored. `unknown`: no such address. `text` never quotes the message. */
type InboundOutcome =
  | { kind: 'received'; count: number }
  | { kind: 'unknown' }
  | { kind: 'forged' | 'unreadable'; text: string };

/** Checks and stores a webhook; its header names are lower case. @throws DatabaseError when nothing was stored */
export async function receiveInbound(
  app: Pick<App, 'db' | 'carriers' | 'accounts' | 'wake'>,
  address: InboundAddress,
  request: { headers: Readonly<Record<string, string | undefined>>; body: Buffer },
): Promise<InboundOutcome> {
  const { licenseId, provider, generation } = address;
  const license = await findInboundLicense(app.db, licenseId);
  // Inactive licenses still receive events; only rotation ends an address.
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

/** Drops events that cannot name one of our parcels. */
function toStored({ id, event, ...named }: InboundEvent, at: string): NewInboundEvent[] {
  const code = named.trackingCode ?? '';
  const trackingCode = code === '' || code.length > 64 ? null : code;
  const reference = named.reference?.toLowerCase() ?? '';
  const ours = isUuid(reference) ? reference : null;
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
