import type { Config } from '../../../config/config.js';
import type { IdempotencyRef } from '../../../contracts/create-shipment.js';
import type { LicenseSummary } from '../../../db/queries/accounts/accounts.js';
import { validationError } from '../../../domain/errors.js';
import { selectLicense } from '../../../domain/license.js';
import { compileOnUse } from '../../../lib/schema.js';
import { textAt } from '../../../lib/text-at.js';
import { nowIso } from '../../../lib/time.js';
import {
  type CreateShipmentRequest as CreationRequest,
  newCreation,
} from '../../../services/creation/create-shipment.js';
import { unsafeFields, unsafeTextsOf } from '../../json-body.js';
import { fieldErrors } from '../../validation.js';
import { creationKey, toCommand } from '../shipments/command.js';
import { CreateShipmentBody, type CreateShipmentRequest } from '../shipments/create-schema.js';
import { readSentBody } from '../shipments/sent-body.js';

const bodyCheck = compileOnUse<CreateShipmentRequest>(CreateShipmentBody);

/** The item's batch and all licenses of the account, usable or not. */
interface ItemContext {
  accountId: number;
  batchUuid: string;
  /** When the batch was received, ISO 8601 UTC. */
  createdAt: string;
  licenseId: number;
  /** The license's key at that time. */
  licenseKey: string;
  licenseNamed: boolean;
  licenses: readonly LicenseSummary[];
}

/**
 * Reads an item as the creation that the same body makes in a single request, with the same license, checks,
 * fingerprint and key. @param payload JSON text @throws AppError as `POST /shipments`: `forbidden`,
 * `validation_failed`
 */
export function readBatchItem(
  payload: string,
  context: ItemContext,
  config: Pick<Config, 'idempotencyKeyDays' | 'fingerprintHours'>,
): CreationRequest {
  const { accountId, batchUuid } = context;
  const sent = withLicense(JSON.parse(payload), context);
  const body = readSentBody(sent);
  const license = licenseOf(body, context);
  const check = bodyCheck();
  const unsafe = unsafeFields(unsafeTextsOf(sent));
  if (!check(body) || unsafe !== null) throw validationError({ ...fieldErrors(check.errors), ...unsafe });
  const idempotency = creationKey(sent, [], config);
  const command = toCommand(body, license, { requestedAt: new Date(context.createdAt) });
  // Shipments made by the batch itself count for its items even when no longer active.
  const ownKey = { ...idempotency, freesBefore: context.createdAt };
  const creation = { ...newCreation(license, { accountId, idempotency: ownKey, ...command }), batchUuid };
  return { creation, order: command.order, merchant: license.merchant };
}

/** Key of an item's creation, even if its license or fields are no longer valid. `payload`: JSON text. */
export function keyOfBatchItem(
  payload: string,
  context: ItemContext,
  config: Pick<Config, 'idempotencyKeyDays' | 'fingerprintHours'>,
): { orderId: string | null; idempotency: IdempotencyRef } {
  const sent = withLicense(JSON.parse(payload), context);
  const orderId = textAt(readSentBody(sent), 'order', 'id') ?? null;
  return { orderId, idempotency: creationKey(sent, [], config) };
}

/**
 * Adds the batch's license to an item without one, or equal items of two licenses would share a key. If the
 * batch named none either, it is left out, as in a single request.
 */
function withLicense(item: unknown, context: ItemContext): unknown {
  if (typeof item !== 'object' || item === null || Array.isArray(item)) return item;
  const own: unknown = Reflect.get(item, 'license_key');
  if (!context.licenseNamed || (own !== undefined && own !== null)) return item;
  return { ...item, license_key: context.licenseKey };
}

/** The batch's key text means the batch's license, even if the key has changed meanwhile. */
function licenseOf(body: unknown, { licenses, licenseId, licenseKey }: ItemContext): LicenseSummary {
  const own = textAt(body, 'license_key');
  // The schema refuses a key of another type later.
  const key =
    own !== undefined && own !== licenseKey
      ? own
      : (licenses.find(({ id }) => id === licenseId)?.key ?? licenseKey);
  return selectLicense(licenses, key, nowIso());
}
