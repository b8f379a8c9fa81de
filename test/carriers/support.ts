import { randomUUID } from 'node:crypto';
import type {
  BookingRequest,
  CallContext,
  CarrierAccount,
  LabelContext,
  ParcelRef,
} from '../../src/carriers/contract.js';
import type { Recipient, ShipmentDetails } from '../../src/domain/shipment.js';
import { createGuardedAgent } from '../../src/outbound/guarded-agent.js';
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

/** A booking under a reference of its own. */
export function booking(overrides: Partial<ShipmentDetails> = {}): BookingRequest {
  const shipment = plainShipment({ recipient: recipient(), collectOn: '2026-11-22', ...overrides });
  return { reference: randomUUID(), orderNumber: '1001', shipment };
}

/** A carrier account with the settings and secrets given. */
export function account(
  settings: Record<string, unknown> = {},
  secrets: Record<string, string> = {},
): CarrierAccount {
  const collectFrom = { street: 'אלנבי', number: '1', city: 'תל אביב-יפו', company: 'חנות לדוגמה' };
  return { licenseId: 1, settings, secrets, collectFrom };
}

/** A complete carrier account of `run` at a server. */
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

/** A complete carrier account of `lionwheel` at a server. */
export function lionwheelAccount(baseUrl: string, settings: Record<string, unknown> = {}): CarrierAccount {
  return account({ base_url: baseUrl, cod_type: 0, ...settings }, { key: 'sandbox-token' });
}

/** A complete carrier account of `cargo` at a server. */
export function cargoAccount(baseUrl: string, settings: Record<string, unknown> = {}): CarrierAccount {
  return account(
    { base_url: baseUrl, customer_code: 3175, sender_phone: '03-5550100', cod_type: 3, ...settings },
    { token: 'sandbox-token' },
  );
}

/** A complete carrier account of `getpackage` at a server. */
export function getpackageAccount(
  baseUrl: string,
  settings: Record<string, unknown> = {},
  secrets: Record<string, string> = { token: 'token' },
): CarrierAccount {
  return account({ base_url: baseUrl, collect_phone: '03-1234567', ...settings }, secrets);
}

/** A complete carrier account of `wolt_drive` at a server. */
export function woltAccount(
  baseUrl: string,
  settings: Record<string, unknown> = {},
  secrets: Record<string, string> = {},
): CarrierAccount {
  const known = { merchant_key: 'key', webhook_secret: 'sandbox-webhook-secret', ...secrets };
  return account({ base_url: baseUrl, venue_id: 'venue-1', ...settings }, known);
}

/** Context of one call; the signal never fires unless given. */
export function context(of: CarrierAccount, signal = new AbortController().signal): CallContext {
  return { account: of, signal };
}

/** Context of a call for a label; only public addresses are dialled beside the carrier's own. */
export function labelContext(of: CarrierAccount): LabelContext {
  return { ...context(of), elsewhere: createGuardedAgent({ allowedRanges: [] }) };
}

/** The parcel that a booking made. */
export function parcel(
  reference: string,
  trackingCode: string,
  carrierReference: string | null = null,
): ParcelRef {
  return { reference, trackingCode, carrierReference };
}
