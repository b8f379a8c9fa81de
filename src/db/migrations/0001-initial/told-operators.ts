import { NOW, TABLE, UUID } from '../parts.js';

/**
 * Waits for a person that operators know of, by the channel that told them. `since`: when the shipment began to wait; a
 * later wait of it is another one. No foreign key: a refused shipment is deleted without it.
 */
export const toldOperators: readonly string[] = [
  `CREATE TABLE told_operators (
  channel ENUM('hook','mail') NOT NULL,
  shipment_uuid ${UUID} NOT NULL,
  since DATETIME(6) NOT NULL,
  told_at ${NOW},
  PRIMARY KEY (channel, shipment_uuid)
) ${TABLE}`,
];
