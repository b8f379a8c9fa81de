import { statements as initial } from './0001-initial.js';
import { statements as webhooks } from './0002-webhooks.js';
import { statements as notifications } from './0003-notifications.js';
import { statements as labels } from './0004-labels.js';
import { statements as exports } from './0005-exports.js';
import { statements as batches } from './0006-batches.js';
import { statements as pickupPoints } from './0007-pickup-points.js';
import { statements as v1 } from './0008-v1.js';
import { statements as inbound } from './0009-inbound.js';
import { statements as endedShipments } from './0010-ended-shipments.js';
import { statements as phoneKeys } from './0011-phone-keys.js';
import { statements as orderNumbers } from './0012-order-numbers.js';
import { statements as exportFiles } from './0013-export-files.js';
import { statements as listKeys } from './0015-list-keys.js';
import { statements as shipmentCounts } from './0016-shipment-counts.js';
import { statements as pendingOrders } from './0017-pending-orders.js';
import { statements as retention } from './0018-retention.js';
import { statements as datedLists } from './0019-dated-lists.js';
import { statements as companyColor } from './0020-company-color.js';
import { statements as warehouseLocations } from './0021-warehouse-locations.js';
import { statements as filteredLists } from './0022-filtered-lists.js';
import { statements as mailCounts } from './0023-mail-counts.js';
import { statements as batchVolumes } from './0024-batch-volumes.js';
import { statements as attemptAccounts } from './0025-attempt-accounts.js';
import { statements as mailSweep } from './0026-mail-sweep.js';

/** One migration: its statements run in order, once, each on its own (DDL commits by itself). */
export interface Migration {
  name: string;
  statements: readonly string[];
}

/** Every migration in the order of its number. Databases run those that they lack; never change one that was released. */
export const migrations: readonly Migration[] = [
  { name: '0001-initial', statements: initial },
  { name: '0002-webhooks', statements: webhooks },
  { name: '0003-notifications', statements: notifications },
  { name: '0004-labels', statements: labels },
  { name: '0005-exports', statements: exports },
  { name: '0006-batches', statements: batches },
  { name: '0007-pickup-points', statements: pickupPoints },
  { name: '0008-v1', statements: v1 },
  { name: '0009-inbound', statements: inbound },
  { name: '0010-ended-shipments', statements: endedShipments },
  { name: '0011-phone-keys', statements: phoneKeys },
  { name: '0012-order-numbers', statements: orderNumbers },
  { name: '0013-export-files', statements: exportFiles },
  { name: '0015-list-keys', statements: listKeys },
  { name: '0016-shipment-counts', statements: shipmentCounts },
  { name: '0017-pending-orders', statements: pendingOrders },
  { name: '0018-retention', statements: retention },
  { name: '0019-dated-lists', statements: datedLists },
  { name: '0020-company-color', statements: companyColor },
  { name: '0021-warehouse-locations', statements: warehouseLocations },
  { name: '0022-filtered-lists', statements: filteredLists },
  { name: '0023-mail-counts', statements: mailCounts },
  { name: '0024-batch-volumes', statements: batchVolumes },
  { name: '0025-attempt-accounts', statements: attemptAccounts },
  { name: '0026-mail-sweep', statements: mailSweep },
];
