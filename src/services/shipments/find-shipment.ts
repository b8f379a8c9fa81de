import { findShipment as findRow } from '../../db/queries/shipments/shipments.js';
import { unavailable } from '../../domain/errors.js';
import type { ShipmentRecord } from '../../domain/shipment.js';
import { isEngineTrouble } from '../../temporal/outcomes.js';
import { type RestoringApp, restoreNamed } from '../creation/restoring.js';

/**
 * The account's shipment, also one that the database has lost and the engine remembers; null where there is none, and
 * for a refused one. @throws AppError `service_unavailable` when the engine cannot be asked
 */
export async function findShipment(
  app: RestoringApp,
  named: { accountId: number; uuid: string },
): Promise<ShipmentRecord | null> {
  const found = await findRow(app.db, named);
  if (found !== null) return found;
  try {
    return (await restoreNamed(app, named)) ? await findRow(app.db, named) : null;
  } catch (error) {
    if (!isEngineTrouble(error)) throw error;
    throw unavailable('The service cannot look for this shipment now. Retry it.', { cause: error });
  }
}
