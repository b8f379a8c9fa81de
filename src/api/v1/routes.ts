import { createShippingPromiseRoute } from './express/create-shipping-promise.js';
import { getExpressDeliveryEnabledRoute } from './express/get-express-delivery-enabled.js';
import { getExpressDeliveryStatusRoute } from './express/get-express-delivery-status.js';
import { sameDayDeliveryQuoteRoute } from './express/same-day-delivery-quote.js';
import { bulkLabelRoute } from './labels/bulk-label.js';
import { labelRoute } from './labels/label.js';
import { orderLabelRoute } from './labels/order-label.js';
import { activateLicenseRoute } from './license/activate-license.js';
import { checkLicenseRoute } from './license/check-license.js';
import { listLicensesRoute } from './license/list-licenses.js';
import { recipientRoutes } from './recipients/routes.js';
import type { V1Route } from './route.js';
import { changeOrderStatusRoute } from './shipping/change-order-status.js';
import { getOrderDetailsRoute } from './shipping/get-order-details.js';
import { getShippingStatusRoute } from './shipping/get-shipping-status.js';
import { listOrderShipmentsRoute } from './shipping/list-order-shipments.js';
import { openNewOrderRoute } from './shipping/open-new-order.js';
import { pickupLocationsRoute } from './shipping/pickup-locations.js';
import { shipmentStatusRoute } from './shipping/shipment-status.js';
import { userByLicenseRoute } from './shipping/user-by-license/route.js';

/** Every route of API v1, in published order. */
export const v1Routes: readonly V1Route[] = [
  checkLicenseRoute,
  activateLicenseRoute,
  listLicensesRoute,
  userByLicenseRoute,
  openNewOrderRoute,
  getOrderDetailsRoute,
  getShippingStatusRoute,
  changeOrderStatusRoute,
  listOrderShipmentsRoute,
  shipmentStatusRoute,
  pickupLocationsRoute,
  labelRoute,
  orderLabelRoute,
  bulkLabelRoute,
  sameDayDeliveryQuoteRoute,
  createShippingPromiseRoute,
  getExpressDeliveryEnabledRoute,
  getExpressDeliveryStatusRoute,
  ...recipientRoutes,
];
