import { bytes, flag, id, instant, int, json, jsonObject, table, text, texts } from './table.js';

export const carriers = table('carriers', {
  id: id().primary(),
  provider: text('VARCHAR(64)'),
  name: text('VARCHAR(255)'),
  createdAt: instant(),
  updatedAt: instant(),
});

export const companies = table('companies', {
  id: id().primary(),
  carrierId: id(),
  name: text('VARCHAR(255)'),
  isPremium: flag(),
  createdAt: instant(),
  updatedAt: instant(),
});

export const licenses = table('licenses', {
  id: id().primary(),
  accountId: id(),
  companyId: id(),
  licenseKey: text('VARCHAR(255)'),
  name: text('VARCHAR(255)'),
  commitmentDay: int('INT'),
  multipleShipment: flag(),
  /** Whether its parcels are for trying only. */
  isSandbox: flag(),
  isActive: flag(),
  expiresAt: instant().null(),
  domain: text('VARCHAR(255)').null(),
  startedAt: instant().null(),
  /** Order statuses that block shipments; null for none. */
  blockedStatuses: json().null(),
  inboundGeneration: int('INT UNSIGNED'),
  turn: int('INT UNSIGNED'),
  createdAt: instant(),
  updatedAt: instant(),
});

export const licenseSettings = table('license_settings', {
  id: id().primary(),
  licenseId: id(),
  providerId: id(),
  settings: jsonObject(),
  secrets: bytes('VARBINARY(8192)').null(),
  collectStreet: text('VARCHAR(255)'),
  collectStreetNumber: text('VARCHAR(32)'),
  collectCity: text('VARCHAR(255)'),
  collectCompany: text('VARCHAR(255)'),
  printProducts: flag(),
  printVariations: flag(),
  printCustomerDetailSkuAndQuantityBoldInLabel: flag(),
  printProductsOnLabelNotes: flag(),
  printProductsOnA4LabelNotes: flag(),
  printProductsName: flag(),
  printProductsSku: flag(),
  printVirtualProductOnNote: flag(),
  enableCod: flag(),
  separateStreetAndNumber: flag(),
  getStreetNumberWithSuffix: flag(),
  displayShippingLineNumber: flag(),
  sendNoteOnOrder: flag(),
  labelMethod: text('VARCHAR(32)'),
  labelType: text('VARCHAR(32)'),
  orderPrefix: text('VARCHAR(64)'),
  createdAt: instant(),
  updatedAt: instant(),
});

export const storeSites = table('store_sites', {
  id: id().primary(),
  accountId: id(),
  /** Null where it serves every license of the account. */
  licenseId: id().null(),
  platform: text('VARCHAR(32)'),
  domain: text('VARCHAR(255)'),
  callbackUrl: text('VARCHAR(2048)').null(),
  isActive: flag(),
  createdAt: instant(),
  updatedAt: instant(),
});

export const pickupPointCopies = table('pickup_point_copies', {
  licenseId: id().primary(),
  accountId: id(),
  carrierId: id(),
  generation: int('INT UNSIGNED'),
  points: int('INT UNSIGNED'),
  refreshedAt: instant(),
  askedAt: instant(),
});

export const pickupPoints = table('pickup_points', {
  licenseId: id().primary(),
  pointId: text('VARCHAR(64)').primary(),
  generation: int('INT UNSIGNED'),
  name: text('VARCHAR(255)'),
  city: text('VARCHAR(255)'),
  cityKey: text('VARCHAR(255)'),
  street: text('VARCHAR(255)'),
  number: text('VARCHAR(32)'),
  streetCode: text('VARCHAR(32)'),
  latitude: text('DECIMAL(9,6)').null(),
  longitude: text('DECIMAL(9,6)').null(),
  remarks: text('VARCHAR(1000)'),
});

export const settlementCopies = table('settlement_copies', {
  licenseId: id().primary(),
  settlements: texts(),
  refreshedAt: instant(),
});
