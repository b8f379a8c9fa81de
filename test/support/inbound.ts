import type { CarrierAdapter, InboundEvent, InboundReader } from '../../src/carriers/contract.js';
import type { StatusCode } from '../../src/domain/statuses.js';
import { inboundUrl } from '../../src/services/carriers/inbound-addresses.js';
import type { SandboxProvider } from '../../tools/doubles/carriers/server.js';
import { eventually } from './conditions.js';
import { type HttpAnswer, send } from './http-send.js';
import type { SandboxClient } from './sandbox-client.js';
import type { TestStack } from './stack.js';

const PROOF = 'sandbox-token';

/** A webhook reader: JSON with a list of events, proven by the license's token in a header. */
const reader: InboundReader = {
  read({ headers, body }, account) {
    if (headers['x-proof'] !== (account.secrets.token ?? PROOF))
      return { kind: 'forged', text: 'The proof is wrong.' };
    try {
      return { kind: 'events', events: JSON.parse(body.toString('utf8')).events };
    } catch {
      return { kind: 'unreadable', text: 'The body is no JSON.' };
    }
  },
};

/** Adds that reader to an adapter. */
export function withInbound(adapter: CarrierAdapter): CarrierAdapter {
  return { ...adapter, webhook: reader };
}

let eventCount = 0;

/** A carrier's event that happened `secondsAgo`. */
export function inboundEvent(
  code: StatusCode | undefined,
  named: { id?: string; trackingCode?: string; reference?: string; secondsAgo?: number; isCurrent?: true },
): InboundEvent {
  eventCount += 1;
  const { id, trackingCode = null, reference = null, secondsAgo = 0, isCurrent } = named;
  const carrierCode = code ?? 'strange';
  return {
    id: id ?? `event-${process.pid}-${eventCount}`,
    trackingCode,
    reference,
    event: {
      code,
      carrierCode,
      carrierDescription: `Carrier says ${carrierCode}`,
      occurredAt: new Date(Date.now() - secondsAgo * 1000).toISOString().replace('Z', '000Z'),
      location: null,
      ...(isCurrent === undefined ? {} : { isCurrent }),
    },
  };
}

/** Row id of the account's license with the provider. */
export async function licenseIdOf(stack: TestStack, provider: string): Promise<number> {
  const key = stack.account.licenseKeys[provider] ?? '';
  const [row] = await stack.db.select('SELECT id FROM licenses WHERE license_key = ?', [key]);
  if (row === undefined) throw new Error(`no license for ${provider}`);
  return Number(row.id);
}

/** Webhook URL of the account's license, at `baseUrl`. */
export async function inboundUrlOf(
  stack: TestStack,
  baseUrl: string,
  provider: string,
  generation = 1,
): Promise<string> {
  const licenseId = await licenseIdOf(stack, provider);
  return await inboundUrl(
    { db: stack.db, config: { ...stack.config, baseUrl } },
    { provider, licenseId, generation },
  );
}

/** Posts events as the carrier does. */
export async function tell(
  url: string,
  events: readonly InboundEvent[],
  headers: Record<string, string> = {},
): Promise<HttpAnswer> {
  return await send(url, 'POST', { json: { events }, headers: { 'x-proof': PROOF, ...headers } });
}

/** A license's stored events in order of arrival. */
export async function storedEvents(stack: TestStack, provider: string) {
  return await stack.db.select(
    `SELECT id, status, reason, attempts, tracking_code, reference, shipment_id, next_attempt_at, occurred_at
     FROM inbound_events WHERE license_id = ? ORDER BY id`,
    [await licenseIdOf(stack, provider)],
  );
}

/** Points the provider's sandbox at the license's webhook URL. */
export async function pointWebhooks(
  stack: TestStack,
  apiUrl: string,
  provider: SandboxProvider,
): Promise<SandboxClient> {
  const sandbox = stack.sandboxes.get(provider);
  if (sandbox === undefined) throw new Error(`no sandbox of ${provider}`);
  await sandbox.configure({ webhook_url: await inboundUrlOf(stack, apiUrl, provider) });
  return sandbox;
}

/** Waits until `count` events of the parcel have arrived and are applied. */
export async function appliedEvents(
  stack: TestStack,
  provider: string,
  code: string,
  count: number,
): Promise<void> {
  await eventually(async () => {
    const events = (await storedEvents(stack, provider)).filter((event) => event.tracking_code === code);
    return events.length === count && events.every(({ status }) => status === 'applied');
  }, `${count} applied events`);
}
