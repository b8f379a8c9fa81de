import type { ApiVersion } from '../contracts/create-shipment.js';
import type { ShipmentRecord } from '../domain/shipment.js';
import { createdAnswer as createdAnswerV2 } from './v2/shipments/presenter.js';

const CREATED = 201;

/** The first answer of a creation in the words of the API that asked; it is stored and sent again byte for byte. */
export function createdAnswer(_api: ApiVersion, shipment: ShipmentRecord): { status: number; body: string } {
  return { status: CREATED, body: createdAnswerV2(shipment) };
}
