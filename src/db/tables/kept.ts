import { id, instant, int, oneOrTwo, table, text } from './table.js';

export const keptAddresses = table('kept_addresses', {
  id: id().primary(),
  accountId: id(),
  name: text('VARCHAR(255)'),
  phone: text('VARCHAR(64)'),
  phoneKey: text('VARCHAR(64)'),
  email: text('VARCHAR(255)'),
  street: text('VARCHAR(255)'),
  number: text('VARCHAR(32)'),
  entrance: text('VARCHAR(32)'),
  floor: text('VARCHAR(32)'),
  apartment: text('VARCHAR(32)'),
  city: text('VARCHAR(255)'),
  createdAt: instant(),
  updatedAt: instant(),
});

export const parcelPresets = table('parcel_presets', {
  id: id().primary(),
  accountId: id(),
  name: text('VARCHAR(64)'),
  licenseId: id().null(),
  serviceType: oneOrTwo('TINYINT UNSIGNED'),
  packages: int('INT UNSIGNED'),
  note: text('VARCHAR(1000)'),
  createdAt: instant(),
  updatedAt: instant(),
});
