import { isoToSql } from '../../../lib/time.js';
import type { Executor } from '../../database.js';
import { int } from '../../row.js';
import { expression, type Selected, shape } from '../../selection.js';
import { carriers, shipments } from '../../tables/index.js';

const s = shipments.as('s');
const count = expression('COUNT(*)', int);
/** The hour 0 of figures, ms since 1970. */
export const FIRST_HOUR = Date.UTC(2020, 0, 1);
const HOURLY = shape({
  /** Whole hours since {@link FIRST_HOUR}: a number groups in half the time of a text. */
  hour: expression(`TIMESTAMPDIFF(HOUR, '2020-01-01', s.created_at)`, int),
  carrierId: s.carrierId,
  count,
});
const BY_CITY = shape({ city: s.recipientCity, count });
const BY_DURATION = shape({
  hours: expression('TIMESTAMPDIFF(HOUR, s.created_at, s.delivered_at)', int),
  count,
});
const BY_REASON = shape({ reason: s.statusDescription, count });
const NAMED = shape({ id: carriers.as('c').id, name: carriers.as('c').name });

/** What {@link readFigures} found. `durations`: whole hours from creation to delivery, ascending. */
export interface FigureRows {
  hourly: Selected<typeof HOURLY>[];
  carriers: Selected<typeof NAMED>[];
  cities: Selected<typeof BY_CITY>[];
  durations: Selected<typeof BY_DURATION>[];
  reasons: Selected<typeof BY_REASON>[];
  /** Refused ones in all. */
  refusals: number;
}

/** One account's shipments that were created since a moment (ISO 8601 UTC). Each statement reads one range of a key. */
export async function readFigures(
  db: Executor,
  { accountId, since }: { accountId: number; since: string },
): Promise<FigureRows> {
  const of = (state: 'created' | 'refused') =>
    `FROM shipments s FORCE INDEX (shipments_created)
     WHERE s.account_id = ? AND s.state = '${state}' AND s.created_at >= ?`;
  const range = [accountId, isoToSql(since)];
  const created = of('created');
  const [hourly, cities, durations, reasons, refusals, named] = await Promise.all([
    HOURLY.select(db, `${created} GROUP BY 1, 2`, range),
    BY_CITY.select(db, `${created} AND s.recipient_city <> '' GROUP BY 1 ORDER BY 2 DESC, 1 LIMIT 10`, range),
    BY_DURATION.select(db, `${created} AND s.delivered_at IS NOT NULL GROUP BY 1 ORDER BY 1`, range),
    BY_REASON.select(db, `${of('refused')} GROUP BY 1 ORDER BY 2 DESC, 1 LIMIT 10`, range),
    count.first(db, of('refused'), range),
    NAMED.select(db, 'FROM carriers c'),
  ]);
  return { hourly, cities, durations, reasons, refusals: refusals ?? 0, carriers: named };
}
