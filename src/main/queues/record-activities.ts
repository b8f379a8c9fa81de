import { createShipmentRecordActivities } from '../../../activities/index.js';
import { createdAnswer } from '../../api/v2/shipments/presenter.js';
import type { QueueParts } from './queue.js';

const CREATED = 201;

/** The MySQL steps of shipments, which workflows call and bookings too. */
export function recordActivities({ db, wake, carriers }: Pick<QueueParts, 'db' | 'wake' | 'carriers'>) {
  return createShipmentRecordActivities({
    db,
    wake,
    renderAnswer: (_api, shipment) => ({ status: CREATED, body: createdAnswer(shipment) }),
    hasStatus: (provider) => carriers.some((one) => one.provider === provider && one.status !== undefined),
  });
}
