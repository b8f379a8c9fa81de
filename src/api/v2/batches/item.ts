import type { Config } from '../../../config/config.js';
import type { IdempotencyRef } from '../../../contracts/create-shipment.js';
import type { LicenseSummary } from '../../../db/queries/accounts/accounts.js';
import type { SentItem } from '../../../domain/batch.js';
import { validationError } from '../../../domain/errors.js';
import { selectLicense } from '../../../domain/license.js';
import { stringAt } from '../../../lib/json.js';
import { compileOnUse } from '../../../lib/schema.js';
import { nowIso } from '../../../lib/time.js';
import {
  type CreateShipmentRequest as CreationRequest,
  newCreation,
} from '../../../services/creation/create-shipment.js';
import { idempotencyOf } from '../../idempotency.js';
import { unsafeFields, unsafeTextsOf } from '../../json-body.js';
import { fieldErrors } from '../../validation.js';
import { toCommand } from '../shipments/command.js';
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
  licenses: readonly LicenseSummary[];
}

/**
 * Reads an item as the creation that the same body makes in a single request, with the same license, checks and key.
 * @throws AppError as `POST /shipments`: `forbidden`, `validation_failed`
 */
export function readBatchItem(
  { payload, fingerprint }: SentItem,
  context: ItemContext,
  config: Parameters<typeof itemKey>[2],
): CreationRequest {
  const { accountId, batchUuid, createdAt } = context;
  const sent: unknown = JSON.parse(payload);
  const body = readSentBody(sent);
  const license = licenseOf(body, context);
  const check = bodyCheck();
  const unsafe = unsafeFields(unsafeTextsOf(sent));
  if (!check(body) || unsafe !== null) throw validationError({ ...fieldErrors(check.errors), ...unsafe });
  const idempotency = itemKey(fingerprint, createdAt, config);
  const command = toCommand(body, license, { requestedAt: new Date(createdAt) });
  const creation = { ...newCreation(license, { accountId, idempotency, ...command }), batchUuid };
  return { creation, order: command.order, merchant: license.merchant };
}

/** The key of an item's creation. `createdAt`: the batch's, ISO 8601 UTC. */
export function itemKey(
  fingerprint: string,
  createdAt: string,
  config: Pick<Config, 'idempotencyKeyDays' | 'fingerprintHours'>,
): IdempotencyRef {
  // Shipments made by the batch itself count for its items even when no longer active.
  return { ...idempotencyOf({ fingerprint, headerValues: [] }, config), freesBefore: createdAt };
}

/** The id of an item's order, even if its license or fields are no longer valid; undefined without one. */
export function orderIdOf({ payload }: Pick<SentItem, 'payload'>): string | undefined {
  return stringAt(readSentBody(JSON.parse(payload)), 'order', 'id');
}

/** The batch's key text means the batch's license, even if the key has changed meanwhile. */
function licenseOf(body: unknown, { licenses, licenseId, licenseKey }: ItemContext): LicenseSummary {
  const own = stringAt(body, 'license_key');
  // The schema refuses a key of another type later.
  const key =
    own !== undefined && own !== licenseKey
      ? own
      : (licenses.find(({ id }) => id === licenseId)?.key ?? licenseKey);
  return selectLicense(licenses, key, nowIso());
}
