import { isFinal, type StatusCode } from '../../src/domain/statuses.js';
import { SetupError } from '../launcher/progress.js';
import type { DemoApi, DemoShipment } from './api.js';
import { BASKETS, PEOPLE } from './people.js';

/** License of the tracked parcel. Its carrier posts statuses, so the page changes at once. */
export const TRACKED_LICENSE = { key: 'demo-lionwheel', provider: 'lionwheel' } as const;

const PATH: readonly StatusCode[] = ['collected', 'in_transit', 'out_for_delivery', 'delivered'];

/** The parcel to move by hand: the last start's, or a new one once that has arrived. */
export async function trackedParcel(api: DemoApi): Promise<DemoShipment> {
  for (let number = 1; ; number += 1) {
    const orderId = `demo-track-${number}`;
    const [known] = await api.list(`license_key=${TRACKED_LICENSE.key}&filter[order_id]=${orderId}`);
    if (known !== undefined && isFinal(known.status)) continue;
    const parcel = known ?? (await api.book(orderId, bodyOf(orderId, number)));
    if (parcel === null) throw new SetupError(`the demo's order ${orderId} was refused`);
    return parcel;
  }
}

function bodyOf(orderId: string, number: number): object {
  return {
    license_key: TRACKED_LICENSE.key,
    ship_data: { type: 1, return: 1, ...PEOPLE.emma },
    order: { id: orderId, number: `W-${1000 + number}`, currency: 'ILS', source: 'demo', ...BASKETS.shirt },
  };
}

/** The remaining statuses of a parcel's path, in order. */
export function nextStatuses(status: StatusCode): readonly StatusCode[] {
  return PATH.slice(PATH.indexOf(status) + 1);
}
