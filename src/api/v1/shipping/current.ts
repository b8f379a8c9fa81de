import type { ShipmentRecord } from '../../../domain/shipment.js';
import { LIMITS } from '../../../lib/limits/values.js';
import { refreshStatus } from '../../../services/shipments/refresh-status.js';
import { modelNotFound } from '../refusals.js';
import type { LicensedContext } from '../route.js';
import { findByCode } from './lookup.js';

/**
 * The license's shipment, its status refreshed if the carrier answers quickly, else as stored. The carrier is
 * asked about once in ten seconds. @throws Refusal 404
 */
export async function currentShipment(
  { app, request, license, user }: Pick<LicensedContext<unknown>, 'app' | 'request' | 'license' | 'user'>,
  code: string,
): Promise<ShipmentRecord> {
  const known = await findByCode(app, { license, user }, code);
  if (known === null) throw modelNotFound('Shipment', code);
  const { accountId, uuid, checkedAt } = known;
  if (checkedAt !== null && Date.parse(checkedAt) > Date.now() - LIMITS.carriers.statusKeptMs) return known;
  const asked = await request.whileWaiting(() =>
    refreshStatus(app, { accountId, uuid, timeoutMs: LIMITS.carriers.statusMs }),
  );
  return asked.kind === 'answered' ? ((await findByCode(app, { license, user }, code)) ?? known) : known;
}
