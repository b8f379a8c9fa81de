import { randomUUID } from 'node:crypto';
import type {
  BookingRequest,
  CallContext,
  CarrierAccount,
  LabelContext,
  ParcelRef,
} from '../../src/carriers/contract.js';
import type { Recipient, ShipmentDetails } from '../../src/domain/shipment.js';
import { createGuardedAgent } from '../../src/outbound/guarded-client.js';
import { plainRecipient, plainShipment } from '../support/shipments.js';

/** A recipient in Tel Aviv. */
export function recipient(overrides: Partial<Recipient> = {}): Recipient {
  return plainRecipient({
    name: 'דנה לוי',
    phone: '050-1234567',
    email: 'dana@example.com',
    street: 'הרצל',
    number: '12',
    entrance: 'א',
    floor: '3',
    apartment: '9',
    city: 'תל אביב-יפו',
    ...overrides,
  });
}

/** Faults of any carrier's booking. */
export const BOOKING_FAULTS = [
  { operation: 'book', kind: 'drop_before' },
  { operation: 'book', kind: 'drop_after' },
  { operation: 'book', kind: 'truncate' },
  { operation: 'book', kind: 'truncate', value: 1 },
  { operation: 'book', kind: 'status', value: 502 },
  { operation: 'book', kind: 'status', value: 500, after: true },
  { operation: 'book', kind: 'status', value: 429 },
];

/** A booking with a unique reference. */
export function booking(overrides: Partial<ShipmentDetails> = {}): BookingRequest {
  const shipment = plainShipment({ recipient: recipient(), collectOn: '2026-11-22', ...overrides });
  return { reference: randomUUID(), orderNumber: '1001', shipment };
}

export function account(
  settings: Record<string, unknown> = {},
  secrets: Record<string, string> = {},
): CarrierAccount {
  const collectFrom = { street: 'אלנבי', number: '1', city: 'תל אביב-יפו', company: 'חנות לדוגמה' };
  return { licenseId: 1, settings, secrets, collectFrom };
}

/** A complete account of `run`. */
export function runAccount(
  baseUrl: string,
  settings: Record<string, unknown> = {},
  secrets: Record<string, string> = {},
): CarrierAccount {
  return account(
    {
      base_url: baseUrl,
      customer_number: '7001',
      shipment_type: '35',
      pickup_shipment_type: '50',
      cod_shipment_type: '37',
      cod_type: '1',
      stage: '5',
      cargo_type_out: '10',
      cargo_type_back: '11',
      ...settings,
    },
    secrets,
  );
}

/** A complete account of `lionwheel`. */
export function lionwheelAccount(baseUrl: string, settings: Record<string, unknown> = {}): CarrierAccount {
  return account({ base_url: baseUrl, cod_type: 0, ...settings }, { key: 'sandbox-token' });
}

/** A complete account of `cargo`. */
export function cargoAccount(baseUrl: string, settings: Record<string, unknown> = {}): CarrierAccount {
  return account(
    { base_url: baseUrl, customer_code: 3175, sender_phone: '03-5550100', cod_type: 3, ...settings },
    { token: 'sandbox-token' },
  );
}

/** A complete account of `getpackage`. */
export function getpackageAccount(
  baseUrl: string,
  settings: Record<string, unknown> = {},
  secrets: Record<string, string> = { token: 'token' },
): CarrierAccount {
  return account({ base_url: baseUrl, collect_phone: '03-1234567', ...settings }, secrets);
}

/** A complete account of `wolt_drive`. */
export function woltAccount(
  baseUrl: string,
  settings: Record<string, unknown> = {},
  secrets: Record<string, string> = {},
): CarrierAccount {
  const known = { merchant_key: 'key', webhook_secret: 'sandbox-webhook-secret', ...secrets };
  return account({ base_url: baseUrl, venue_id: 'venue-1', ...settings }, known);
}

/** Context of one call; by default the signal never fires. */
export function context(of: CarrierAccount, signal = new AbortController().signal): CallContext {
  return { account: of, signal };
}

/** Context of a label call; beside the carrier's own address only public ones are dialled. */
export function labelContext(of: CarrierAccount): LabelContext {
  return { ...context(of), elsewhere: createGuardedAgent({ allowedRanges: [] }) };
}

/** A booked parcel. */
export function parcel(
  reference: string,
  trackingCode: string,
  carrierReference: string | null = null,
): ParcelRef {
  return { reference, trackingCode, carrierReference };
}
