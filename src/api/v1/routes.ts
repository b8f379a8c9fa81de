import { activateLicenseRoute } from './license/activate-license.js';
import { checkLicenseRoute } from './license/check-license.js';
import { recipientRoutes } from './recipients/routes.js';
import type { V1Route } from './route.js';
import { openNewOrderRoute } from './shipping/open-new-order.js';
import { userByLicenseRoute } from './shipping/user-by-license/route.js';

/** Every route of API v1, in the order in which they are published. */
export const v1Routes: readonly V1Route[] = [
  checkLicenseRoute,
  activateLicenseRoute,
  userByLicenseRoute,
  openNewOrderRoute,
  ...recipientRoutes,
];
