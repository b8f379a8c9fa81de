import { activateLicenseRoute } from './license/activate-license.js';
import { checkLicenseRoute } from './license/check-license.js';
import type { V1Route } from './route.js';
import { openNewOrderRoute } from './shipping/open-new-order.js';

/** Every route of API v1, in the order in which they are published. */
export const v1Routes: readonly V1Route[] = [checkLicenseRoute, activateLicenseRoute, openNewOrderRoute];
