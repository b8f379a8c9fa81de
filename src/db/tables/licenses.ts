import { flag, id, instant, int, json, table, text } from './table.js';

/** The table `licenses`. */
export const licenses = table('licenses', {
  id: id().primary(),
  accountId: id(),
  companyId: id(),
  licenseKey: text('VARCHAR(255)'),
  name: text('VARCHAR(255)'),
  commitmentDay: int('INT'),
  multipleShipment: flag(),
  isActive: flag(),
  expiresAt: instant().null(),
  domain: text('VARCHAR(255)').null(),
  startedAt: instant().null(),
  /** Order statuses that block shipments; null for none. */
  blockedStatuses: json().null(),
  inboundGeneration: int('INT UNSIGNED'),
  createdAt: instant(),
  updatedAt: instant(),
});
