import test from 'ava';
import type { Creation } from '../../src/contracts/create-shipment.js';
import { uuidV7 } from '../../src/lib/ids.js';
import { dayInJerusalem } from '../../src/lib/time.js';
import { bookingDetails } from '../../src/services/creation/carrier-request.js';

const DAY_MS = 86_400_000;
const dayBefore = (days: number) => dayInJerusalem(new Date(Date.now() - days * DAY_MS));

/** The day that the carrier gets for a parcel requested `daysAgo`. */
async function toldDay(collectOn: string, daysAgo: number): Promise<string> {
  const details = { collectOn, recipient: {}, pickupPointId: null, note: null };
  const hex = (Date.now() - daysAgo * DAY_MS).toString(16).padStart(12, '0');
  const uuid = `${hex.slice(0, 8)}-${hex.slice(8)}${uuidV7().slice(13)}`;
  const creation = { licenseId: 1, details, shipmentUuid: uuid } as unknown as Creation;
  return (await bookingDetails({} as never, creation, {})).details.collectOn;
}

test('a day of collection that went by while the booking waited becomes today', async (t) => {
  const today = dayBefore(0);

  t.is(await toldDay(dayBefore(2), 2), today);
  t.is(await toldDay(dayBefore(1), 2), today);
  t.is(await toldDay(today, 0), today);
});

test('a day that the caller chose is sent unchanged: a future one, and one that was past then', async (t) => {
  t.is(await toldDay(dayBefore(-3), 0), dayBefore(-3));
  t.is(await toldDay(dayBefore(5), 2), dayBefore(5));
});
