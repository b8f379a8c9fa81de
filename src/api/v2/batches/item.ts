import type { Config } from '../../../config/config.js';
import type { IdempotencyRef } from '../../../contracts/create-shipment.js';
import type { LicenseSummary } from '../../../db/queries/accounts.js';
import { validationError } from '../../../domain/errors.js';
import { selectLicense } from '../../../domain/license.js';
import { compileOnUse } from '../../../lib/schema.js';
import { nowIso } from '../../../lib/time.js';
import {
  type CreateShipmentRequest as CreationRequest,
  newCreation,
} from '../../../services/create-shipment.js';
import { fingerprintOf, idempotencyOf } from '../../idempotency.js';
import { unsafeFields, unsafeTextsOf } from '../../json-body.js';
import { fieldErrors } from '../../validation.js';
import { toCommand } from '../shipments/command.js';
import {
  CREATE_SHIPMENT_ROUTE,
  CreateShipmentBody,
  type CreateShipmentRequest,
} from '../shipments/create-schema.js';
import { readSentBody } from '../shipments/sent-body.js';

const bodyCheck = compileOnUse<CreateShipmentRequest>(CreateShipmentBody);

/** The batch that an item belongs to, with the account's licenses, usable or not. */
export interface ItemContext {
  accountId: number;
  batchUuid: string;
  /** When the batch came, ISO 8601 UTC. */
  createdAt: string;
  /** The batch's license. */
  licenseId: number;
  /** Its key when the batch came. */
  licenseKey: string;
  /** Whether the batch named its license. */
  licenseNamed: boolean;
  licenses: readonly LicenseSummary[];
}

/**
 * An item as the creation that the same body makes when it is sent alone: the same license, checks, fingerprint and
 * key, so that the two are one shipment.
 * @param payload JSON text.
 * @throws AppError as `POST /shipments`: `forbidden`, `validation_failed`.
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
  const idempotency = keyOf(sent, config);
  const command = toCommand(body, license, { requestedAt: new Date(context.createdAt) });
  // Whatever the batch itself has made stands for its items, though it is not alive any more.
  const ownKey = { ...idempotency, freesBefore: context.createdAt };
  const creation = { ...newCreation(license, { accountId, idempotency: ownKey, ...command }), batchUuid };
  return { creation, order: command.order, merchant: license.merchant };
}

/** What an item's creation is known by, whether or not its license and fields are still taken. `payload`: JSON text. */
export function keyOfBatchItem(
  payload: string,
  context: ItemContext,
  config: Pick<Config, 'idempotencyKeyDays' | 'fingerprintHours'>,
): { orderId: string | null; idempotency: IdempotencyRef } {
  const sent = withLicense(JSON.parse(payload), context);
  const orderId = member(member(readSentBody(sent), 'order'), 'id');
  return { orderId: typeof orderId === 'string' ? orderId : null, idempotency: keyOf(sent, config) };
}

function keyOf(
  body: unknown,
  config: Pick<Config, 'idempotencyKeyDays' | 'fingerprintHours'>,
): IdempotencyRef {
  const fingerprint = fingerprintOf({ method: 'POST', route: CREATE_SHIPMENT_ROUTE, body });
  return idempotencyOf({ fingerprint, headerValues: [] }, config);
}

/**
 * The body with the batch's license where it names none: otherwise equal items of two licenses would be one. A batch
 * that named none leaves it out, as the same account does in a single request.
 */
function withLicense(item: unknown, context: ItemContext): unknown {
  if (typeof item !== 'object' || item === null || Array.isArray(item)) return item;
  const own: unknown = Reflect.get(item, 'license_key');
  if (!context.licenseNamed || (own !== undefined && own !== null)) return item;
  return { ...item, license_key: context.licenseKey };
}

/** The batch's text stands for the batch's license: a key that changes meanwhile makes no item another one. */
function licenseOf(body: unknown, { licenses, licenseId, licenseKey }: ItemContext): LicenseSummary {
  const own = member(body, 'license_key');
  // A key of another type is refused by the schema, which comes next.
  const key =
    typeof own === 'string' && own !== licenseKey
      ? own
      : (licenses.find(({ id }) => id === licenseId)?.key ?? licenseKey);
  return selectLicense(licenses, key, nowIso());
}

function member(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null ? Reflect.get(value, name) : undefined;
}
