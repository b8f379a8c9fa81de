import type { Route } from '../route.js';
import { accountRoutes } from './account/routes.js';
import { batchRoutes } from './batches/routes.js';
import { exportRoutes } from './exports/routes.js';
import { labelRoutes } from './labels/routes.js';
import { settingsRoutes } from './notifications/settings-routes.js';
import { templateRoutes } from './notifications/template-routes.js';
import { orderRoutes } from './orders/routes.js';
import { pickupPointRoutes } from './pickup-points/routes.js';
import { pingRoutes } from './ping/routes.js';
import { referenceRoutes } from './reference/routes.js';
import { shipmentRoutes } from './shipments/routes.js';
import { trackingRoutes } from './tracking/routes.js';
import { webhookDeliveryRoutes } from './webhooks/delivery-routes.js';
import { webhookRoutes } from './webhooks/routes.js';

/** Every route of v2, as mounted and as published. */
export const v2Routes = [
  pingRoutes,
  accountRoutes,
  shipmentRoutes,
  labelRoutes,
  orderRoutes,
  batchRoutes,
  exportRoutes,
  settingsRoutes,
  templateRoutes,
  pickupPointRoutes,
  trackingRoutes,
  webhookRoutes,
  webhookDeliveryRoutes,
  referenceRoutes,
].flatMap((routes) => Object.values<Route>(routes));
