export { cancelShipment } from './cancel-shipment.js';
export { createShipment } from './create-shipment.js';
export { housekeeping } from './housekeeping.js';
export { pollCarrier } from './poll-carrier.js';
export { refreshPickupPoints } from './refresh-pickup-points.js';
export { resumeBatches } from './resume-batches.js';
export { runBatch } from './run-batch.js';
