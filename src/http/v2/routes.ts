import type { Route } from '../route.js';
import { accountRoutes } from './account/routes.js';
import { licenseRoutes } from './licenses/routes.js';
import { orderRoutes } from './orders/routes.js';
import { pingRoutes } from './ping/routes.js';
import { referenceRoutes } from './reference/routes.js';
import { shipmentRoutes } from './shipments/routes.js';

/** Every route of v2, as mounted and as published. */
export const v2Routes: readonly Route[] = [
  ...pingRoutes,
  ...accountRoutes,
  ...licenseRoutes,
  ...shipmentRoutes,
  ...orderRoutes,
  ...referenceRoutes,
];
