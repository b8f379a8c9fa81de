import { FIRST_HOUR, type FigureRows, readFigures } from '../../db/queries/shipments/shipment-figures.js';
import { israelDayStart } from '../../lib/israel-time.js';
import { DAY_MS, dayInJerusalem, HOUR_MS } from '../../lib/time.js';
import type { App } from '../app.js';

/** How many of what. */
interface Counted {
  name: string;
  count: number;
}

/** How the parcels of an account, or of all, went. Days are those of Asia/Jerusalem. */
export interface ShipmentFigures {
  total: number;
  /** Every day of the period, Y-m-d, oldest first. */
  days: Counted[];
  carriers: Counted[];
  /** Of one account, the ten that most parcels went to. */
  cities: Counted[];
  /** Of all accounts, the ten with most parcels. */
  accounts: (Counted & { id: number })[];
  /** Of the parcels that were created in the period and have arrived, from creation to delivery; null for none. */
  door: { delivered: number; medianHours: number; p90Hours: number } | null;
  /** The ten most frequent, in the words of carriers and ours. */
  refused: Counted[];
  /** How many were refused in all. */
  refusals: number;
}

/** The last `days` days, today included, of one account or of all (`accountId` null). */
export async function shipmentFigures(
  { db }: Pick<App, 'db'>,
  { accountId, days }: { accountId: number | null; days: number },
  nowMs = Date.now(),
): Promise<ShipmentFigures> {
  const today = dayInJerusalem(new Date(nowMs));
  // From noon to noon: a day on which clocks change has 23 or 25 hours.
  const noonMs = Date.parse(`${today}T12:00:00Z`);
  const names = Array.from({ length: days }, (_, index) =>
    dayInJerusalem(new Date(noonMs - (days - 1 - index) * DAY_MS)),
  );
  const since = israelDayStart(names[0] ?? today) ?? new Date(nowMs - days * DAY_MS).toISOString();
  const rows = await readFigures(db, { accountId, since });
  const perDay = sums(rows.hourly, ({ hour }) => dayInJerusalem(new Date(FIRST_HOUR + hour * HOUR_MS)));
  const carrierNames = new Map(rows.carriers.map(({ id, name }) => [id, name]));
  const perCarrier = sums(rows.hourly, ({ carrierId }) => carrierNames.get(carrierId) ?? '');
  return {
    total: rows.hourly.reduce((sum, { count }) => sum + count, 0),
    days: names.map((name) => ({ name, count: perDay.get(name) ?? 0 })),
    carriers: [...perCarrier]
      .map(([name, count]) => ({ name, count }))
      .sort((one, other) => other.count - one.count),
    cities: rows.cities.map(({ city, count }) => ({ name: city ?? '', count })),
    accounts: rows.accounts,
    door: doorOf(rows),
    refused: rows.reasons.map(({ reason, count }) => ({ name: reason, count })),
    refusals: rows.refusals,
  };
}

function sums<R extends { count: number }>(rows: readonly R[], nameOf: (row: R) => string) {
  const found = new Map<string, number>();
  for (const row of rows) found.set(nameOf(row), (found.get(nameOf(row)) ?? 0) + row.count);
  return found;
}

function doorOf({ durations }: FigureRows): ShipmentFigures['door'] {
  const delivered = durations.reduce((sum, { count }) => sum + count, 0);
  if (delivered === 0) return null;
  const within = (share: number) => {
    let sum = 0;
    const row = durations.find(({ count }) => (sum += count) >= delivered * share);
    return row?.hours ?? 0;
  };
  return { delivered, medianHours: within(0.5), p90Hours: within(0.9) };
}
