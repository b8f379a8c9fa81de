import type { Screen } from './screen.js';
import { accountScreens } from './screens/accounts.js';
import { addressScreens } from './screens/addresses.js';
import { attentionScreens } from './screens/attention.js';
import { auditScreens } from './screens/audit.js';
import { batchCorrectionScreens } from './screens/batch-corrections.js';
import { batchScreens } from './screens/batches.js';
import { carrierScreens } from './screens/carriers.js';
import { chosenScreens } from './screens/chosen-shipments.js';
import { companyScreens } from './screens/companies.js';
import { credentialScreens } from './screens/credentials.js';
import { deliveryScreens } from './screens/deliveries.js';
import { exportScreens } from './screens/exports.js';
import { figureScreens } from './screens/figures.js';
import { importUploadScreens } from './screens/import-upload.js';
import { importScreens } from './screens/imports.js';
import { licenseScreens } from './screens/licenses.js';
import { merchantUserScreens } from './screens/merchant-users.js';
import { newShipmentScreens } from './screens/new-shipment.js';
import { notificationScreens } from './screens/notifications.js';
import { overviewScreens } from './screens/overview.js';
import { panelUserScreens } from './screens/panel-users.js';
import { presetScreens } from './screens/presets.js';
import { profileScreens } from './screens/profile.js';
import { refusedScreens } from './screens/refused.js';
import { scanScreens } from './screens/scan.js';
import { settingsScreens } from './screens/settings.js';
import { bulkScreens } from './screens/shipment-bulk.js';
import { printScreens } from './screens/shipment-print.js';
import { shipmentScreens } from './screens/shipments.js';
import { siteScreens } from './screens/sites.js';
import { slipScreens } from './screens/slips.js';
import { storyScreens } from './screens/story.js';
import { teamScreens } from './screens/team.js';
import { templateScreens } from './screens/templates.js';
import { webhookScreens } from './screens/webhooks.js';

/** Every screen of the panel behind the sign-in. */
export const SCREENS: readonly Screen[] = [
  ...overviewScreens,
  ...attentionScreens,
  ...carrierScreens,
  ...accountScreens,
  ...companyScreens,
  ...settingsScreens,
  ...licenseScreens,
  ...siteScreens,
  ...merchantUserScreens,
  ...panelUserScreens,
  ...teamScreens,
  ...auditScreens,
  ...shipmentScreens,
  ...scanScreens,
  ...chosenScreens,
  ...printScreens,
  ...slipScreens,
  ...bulkScreens,
  ...newShipmentScreens,
  ...addressScreens,
  ...presetScreens,
  ...storyScreens,
  ...refusedScreens,
  ...importUploadScreens,
  ...importScreens,
  ...batchScreens,
  ...batchCorrectionScreens,
  ...figureScreens,
  ...exportScreens,
  ...webhookScreens,
  ...deliveryScreens,
  ...credentialScreens,
  ...notificationScreens,
  ...templateScreens,
  ...profileScreens,
];
