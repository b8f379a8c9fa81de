import { SHIPMENT_EVENTS } from '../../src/domain/events.js';
import { isStatusCode, type SettableStatus, type StatusCode } from '../../src/domain/statuses.js';
import { jsonOf, textAt, valueAt } from '../../src/lib/json.js';
import { SetupError } from '../launcher/progress.js';
import type { DevSecrets } from '../launcher/state.js';

/** A shipment of the demo. `code` is the carrier's, empty before the booking. */
export interface DemoShipment {
  readonly uuid: string;
  readonly orderId: string;
  readonly code: string;
  readonly shortCode: string;
  readonly status: StatusCode;
}

/** A client of API v2. Every refused call throws a SetupError. */
export interface DemoApi {
  list(query: string): Promise<DemoShipment[]>;
  /** Books a parcel; a known order id is only replayed. Null when the carrier refuses it. */
  book(orderId: string, body: object): Promise<DemoShipment | null>;
  /** Refreshes the status from the carrier. */
  refresh(uuid: string): Promise<void>;
  cancel(uuid: string, reason: string): Promise<void>;
  /** Of a parcel of the shop's own couriers. `at`: ISO 8601. */
  setStatus(uuid: string, status: SettableStatus, at: string): Promise<void>;
  /** A repeated key is only replayed. */
  batch(key: string, license: string, shipments: readonly object[]): Promise<void>;
  /** A file of the license's shipments. */
  export(license: string): Promise<void>;
  /** Copies the pickup points of a license's carrier. */
  loadPickupPoints(license: string): Promise<void>;
  /** Enables mails to the license's recipients for all events. */
  tellRecipients(license: string): Promise<void>;
}

const TIMEOUT_MS = 40_000;
const REFUSED = 'carrier_rejected';

/** `stopping` aborts running calls. */
export function openDemoApi(
  baseUrl: string,
  { clientId, clientSecret }: DevSecrets['first'],
  stopping: AbortSignal,
): DemoApi {
  const send = async (
    path: string,
    headers: Record<string, string> = {},
    body?: object,
    method?: 'PUT',
  ): Promise<unknown> => {
    const response = await fetch(`${baseUrl}/api/v2/${path}`, {
      method: method ?? (body === undefined ? 'GET' : 'POST'),
      headers: {
        'content-type': 'application/json',
        'x-client-id': clientId,
        'x-client-secret': clientSecret,
        ...headers,
      },
      body: body === undefined ? null : JSON.stringify(body),
      signal: AbortSignal.any([stopping, AbortSignal.timeout(TIMEOUT_MS)]),
    });
    const json = jsonOf(Buffer.from(await response.arrayBuffer()));
    if (response.ok || textAt(json, 'error', 'code') === REFUSED) return json;
    const said = textAt(json, 'error', 'message');
    throw new SetupError(`${path.split('?')[0]} was answered ${response.status}: ${said}`);
  };
  return {
    async list(query) {
      const rows = valueAt(await send(`shipments?${query}`), 'data');
      return Array.isArray(rows) ? rows.map(toShipment) : [];
    },
    async book(orderId, body) {
      const json = await send('shipments', { 'idempotency-key': `demo-${orderId}` }, body);
      return textAt(json, 'error', 'code') === REFUSED ? null : toShipment(valueAt(json, 'data'));
    },
    async refresh(uuid) {
      await send(`shipments/${uuid}/status?refresh=true`);
    },
    async cancel(uuid, reason) {
      await send(`shipments/${uuid}/cancel`, {}, { reason });
    },
    async setStatus(uuid, status, at) {
      await send(`shipments/${uuid}/status`, {}, { code: status, occurred_at: at });
    },
    async batch(key, license, shipments) {
      await send('batches', { 'idempotency-key': key }, { license_key: license, shipments });
    },
    async export(license) {
      await send('exports', {}, { license_key: license, format: 'xlsx' });
    },
    async loadPickupPoints(license) {
      await send(`pickup-points?license_key=${license}&limit=1`);
    },
    async tellRecipients(license) {
      const settings = { license_key: license, enabled: true, events: [...SHIPMENT_EVENTS] };
      await send('notifications/settings', {}, settings, 'PUT');
    },
  };
}

function toShipment(json: unknown): DemoShipment {
  const status = textAt(json, 'status', 'code');
  return {
    uuid: textAt(json, 'uuid'),
    orderId: textAt(json, 'order', 'id'),
    code: textAt(json, 'tracking_code'),
    shortCode: textAt(json, 'short_tracking_code'),
    status: isStatusCode(status) ? status : 'pending',
  };
}
