import type { BookingRequest, CarrierAccount } from '../../carriers/contract.js';
import type { Creation } from '../../contracts/create-shipment.js';
import { findActiveOfOrder } from '../../db/queries/creation/creation.js';
import { AppError, unavailable, validationError } from '../../domain/errors.js';
import { type Problem, problem, quoted } from '../../domain/problems/problem.js';
import { duplicateOrderMessage } from '../../domain/shipment.js';
import type { App } from '../app.js';
import { AccountUnreadable, SETTINGS_UNREADABLE, SecretsUnreadable } from '../carriers/carrier-accounts.js';
import { carrierRequest } from './carrier-request.js';
import { type CreateShipmentRequest, cutsNote, duplicateOrder, refuseTooLarge } from './create-shipment.js';

/** Remarks that a person should read before the booking. */
export const WARNINGS = [
  'order_has_shipment',
  'note_cut',
  'pickup_point_unchecked',
  'unknown_field',
] as const;

/** `field`: JSON path of the input that it is about. */
export interface Warning {
  code: (typeof WARNINGS)[number];
  field: string;
  problem: Problem;
}

/** The request that the carrier would get, and warnings. */
export interface DryRun {
  request: BookingRequest;
  account: CarrierAccount;
  warnings: Warning[];
}

/**
 * Makes what a creation would send, by the rules of the creation itself. Takes no key, asks no carrier, writes nothing.
 * @throws AppError as the creation: `payload_too_large`, `duplicate_request`, `validation_failed`, `carrier_rejected`
 */
export async function dryRun(
  app: Pick<App, 'db' | 'carriers' | 'accounts'>,
  { creation, order }: Pick<CreateShipmentRequest, 'creation' | 'order'>,
): Promise<DryRun> {
  refuseTooLarge({ creation, order });
  const { licenseId, carrier, details, multipleShipment } = creation;
  const { serviceType } = details;
  const active = await findActiveOfOrder(app.db, { licenseId, orderId: order.id, serviceType });
  if (active !== null && !multipleShipment) throw duplicateOrder(duplicateOrderMessage(active));
  const own = await accountOf(app, creation);
  const adapter = app.carriers(carrier.provider);
  const asked = await carrierRequest(app.db, creation, { adapter, own, reference: creation.shipmentUuid });
  if (Object.keys(asked.fields).length > 0) throw validationError(asked.fields);
  const { request, account } = asked;
  const warnings: Warning[] = [];
  const warn = (code: Warning['code'], field: string, problem: Problem) => {
    warnings.push({ code, field, problem });
  };
  if (active !== null) warn('order_has_shipment', 'order.id', problem('order_ships_again', { uuid: active }));
  if (cutsNote(app, creation)) warn('note_cut', 'ship_data.note', problem('carrier_cuts_note'));
  if (asked.isCopyOld) {
    warn('pickup_point_unchecked', 'ship_data.pickup', problem('pickup_point_unchecked'));
  }
  return { request, account, warnings };
}

async function accountOf(
  { accounts }: Pick<App, 'accounts'>,
  { licenseId, carrier }: Pick<Creation, 'licenseId' | 'carrier'>,
): Promise<CarrierAccount> {
  try {
    return await accounts(licenseId, carrier.provider);
  } catch (error) {
    if (error instanceof SecretsUnreadable) throw unavailable(SETTINGS_UNREADABLE, { cause: error });
    if (error instanceof AccountUnreadable)
      throw new AppError('carrier_rejected', quoted(SETTINGS_UNREADABLE));
    throw error;
  }
}
