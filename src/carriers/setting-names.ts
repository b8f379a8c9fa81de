import type { cargoSettings } from './cargo/config.js';
import type { getpackageSettings } from './getpackage/config.js';
import type { lionwheelSettings } from './lionwheel/config.js';
import type { runSettings } from './run/config.js';
import type { woltSettings } from './wolt-drive/config.js';

type NamesOf<S extends { properties: object }> = keyof S['properties'];

/** The name of a license setting of any carrier: each has a label in every language of the panel. */
export type SettingName =
  | NamesOf<typeof cargoSettings>
  | NamesOf<typeof getpackageSettings>
  | NamesOf<typeof lionwheelSettings>
  | NamesOf<typeof runSettings>
  | NamesOf<typeof woltSettings>;
