import type { LicenseSummary } from '../../../db/queries/accounts/accounts.js';
import { AppError } from '../../../domain/errors.js';
import type { FieldErrors } from '../../../domain/problems/problem.js';
import { nowIso } from '../../../lib/time.js';
import type { HttpApp } from '../../http-app.js';
import { readBatchItem } from './item.js';

/**
 * Makes the check of items before they are sent: the rules of `POST /shipments`, and those that the carrier's adapter
 * has for its bookings. Books nothing and asks nobody.
 */
export async function itemCheck(
  app: Pick<HttpApp, 'accounts' | 'carriers' | 'config'>,
  { accountId, license }: { accountId: number; license: LicenseSummary },
): Promise<(item: object) => FieldErrors> {
  const { provider } = license.carrier;
  // Settings that cannot be read are no fault of an order.
  const account = await app.accounts(license.id, provider).catch(() => null);
  const context = {
    accountId,
    batchUuid: '',
    createdAt: nowIso(),
    licenseId: license.id,
    licenseKey: license.key,
    licenses: [license],
  };
  const faultsOf = (item: object): FieldErrors => {
    try {
      const { creation, order } = readBatchItem(
        { payload: JSON.stringify(item), fingerprint: '' },
        context,
        app.config,
      );
      const { details, shipmentUuid: reference } = creation;
      // A pickup point's own address takes the place of the recipient's at the booking.
      if (account === null || details.pickupPointId !== null) return {};
      const { carrierOrderNumber: orderNumber = order.number } = details;
      const request = { reference, orderNumber, shipment: details };
      return app.carriers(provider).checkBooking(request, account);
    } catch (error) {
      if (error instanceof AppError && error.code === 'validation_failed') return error.fields ?? {};
      throw error;
    }
  };
  return (item) => {
    const faults = faultsOf(item);
    if (Object.keys(faults).length === 0) return faults;
    // The schema stops before the other rules: a person sees all faults at once.
    return { ...faultsOf(withoutFaults(item, Object.keys(faults))), ...faults };
  };
}

/** Valid values for fields that must be there. */
const STAND_INS: ReadonlyMap<string, string> = new Map([
  ['contact_name', 'x'],
  ['contact_phone', '0500000000'],
  ['id', 'x'],
]);

/** The item without the fields at these paths, or with ones that no rule refuses. */
function withoutFaults(item: object, paths: readonly string[]): object {
  const parts = Object.entries(item).map(([part, fields]: [string, unknown]): [string, unknown] => {
    if (typeof fields !== 'object' || fields === null) return [part, fields];
    const kept = new Map<string, unknown>(Object.entries(fields));
    for (const path of paths) {
      const [of, name = ''] = path.split('.');
      if (of !== part) continue;
      const standIn = STAND_INS.get(name);
      if (standIn === undefined) kept.delete(name);
      else kept.set(name, standIn);
    }
    return [part, Object.fromEntries(kept)];
  });
  return Object.fromEntries(parts);
}
