import type { ShipmentRecord } from '../domain/shipment.js';
import { presentOpened } from './v1/shipping/presenter.js';
import { createdAnswer as createdAnswerV2 } from './v2/shipments/presenter.js';

/** The first answer of a creation in the format of the requested API; it is stored and replayed unchanged. */
export function createdAnswer(api: 'v1' | 'v2', shipment: ShipmentRecord): { status: number; body: string } {
  return api === 'v1'
    ? { status: 200, body: JSON.stringify(presentOpened(shipment)) }
    : { status: 201, body: createdAnswerV2(shipment) };
}
