export { cancelShipment } from './cancel-shipment.js';
export { createShipment } from './create-shipment.js';
export { housekeeping } from './housekeeping.js';
export { pollCarrier } from './poll-carrier.js';
