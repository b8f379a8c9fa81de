import type { Screen } from './screen.js';
import { accountScreens } from './screens/accounts.js';
import { homeScreens } from './screens/home.js';
import { newShipmentScreens } from './screens/new-shipment.js';
import { profileScreens } from './screens/profile.js';
import { shipmentScreens } from './screens/shipments.js';
import { storyScreens } from './screens/story.js';

/** Every screen of the panel behind the sign-in. */
export const SCREENS: readonly Screen[] = [
  ...homeScreens,
  ...accountScreens,
  ...shipmentScreens,
  ...newShipmentScreens,
  ...storyScreens,
  ...profileScreens,
];
