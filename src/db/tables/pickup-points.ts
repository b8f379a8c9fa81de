import { id, int, table, text } from './table.js';

/** The table `pickup_points`. */
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
