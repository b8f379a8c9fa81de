import { expressRoutes } from './express/routes.js';
import { labelRoutes } from './labels/routes.js';
import { licenseRoutes } from './license/routes.js';
import { recipientRoutes } from './recipients/routes.js';
import type { V1Route } from './route.js';
import { openNewOrderRoute } from './shipping/open-new-order.js';
import { shippingRoutes } from './shipping/routes.js';

/** Every route of API v1, in published order. */
export const v1Routes: readonly V1Route[] = [
  ...licenseRoutes,
  openNewOrderRoute,
  ...shippingRoutes,
  ...labelRoutes,
  ...expressRoutes,
  ...recipientRoutes,
];
