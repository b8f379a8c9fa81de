import { isoToSql } from '../../../lib/time.js';
import type { Executor } from '../../database.js';
import { int, text } from '../../row.js';
import { expression, type Selected, shape } from '../../selection.js';
import { accounts, carriers, shipments } from '../../tables/index.js';

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
const TOP = 10;
const BY_ACCOUNT = shape({
  id: accounts.as('a').id,
  name: accounts.as('a').name,
  count: expression('top.count', int),
});
const BY_DURATION = shape({
  hours: expression('TIMESTAMPDIFF(HOUR, s.created_at, s.delivered_at)', int),
  count,
});
const BY_REASON = shape({ reason: s.statusDescription, count });
const NAMED = shape({ id: carriers.as('c').id, name: carriers.as('c').name });
/** By the companies of one account's licenses, where it has any. */
const NAMED_OF_ACCOUNT = shape({
  id: carriers.as('c').id,
  name: expression(
    `COALESCE((SELECT GROUP_CONCAT(DISTINCT co.name ORDER BY co.name SEPARATOR ', ') FROM licenses l
       JOIN companies co ON co.id = l.company_id AND co.carrier_id = c.id WHERE l.account_id = ?), c.name)`,
    text,
  ),
});

/**
 * The result of {@link readFigures}. `durations`: whole hours from creation to delivery, ascending. `cities` are of one
 * account, `accounts` of all: the ten with most shipments.
 */
export interface FigureRows {
  hourly: Selected<typeof HOURLY>[];
  carriers: Selected<typeof NAMED>[];
  cities: Selected<typeof BY_CITY>[];
  accounts: Selected<typeof BY_ACCOUNT>[];
  durations: Selected<typeof BY_DURATION>[];
  reasons: Selected<typeof BY_REASON>[];
  /** Refused ones in all. */
  refusals: number;
}

/**
 * One account's shipments, or all accounts' (`accountId` null), that were created since a moment (ISO 8601 UTC). Each
 * statement reads one range of a key.
 */
export async function readFigures(
  db: Executor,
  { accountId, since }: { accountId: number | null; since: string },
): Promise<FigureRows> {
  const [key, own] =
    accountId === null ? ['shipments_reserved', ''] : ['shipments_created', 's.account_id = ? AND'];
  const of = (state: 'created' | 'refused') =>
    `FROM shipments s FORCE INDEX (${key}) WHERE ${own} s.state = '${state}' AND s.created_at >= ?`;
  const range = accountId === null ? [isoToSql(since)] : [accountId, isoToSql(since)];
  const created = of('created');
  const byCity = `${created} AND s.recipient_city <> '' GROUP BY 1 ORDER BY 2 DESC, 1 LIMIT ${TOP}`;
  const byAccount = `FROM (SELECT s.account_id, COUNT(*) AS count ${created}
      GROUP BY s.account_id ORDER BY 2 DESC, 1 LIMIT ${TOP}) top
    JOIN accounts a ON a.id = top.account_id ORDER BY top.count DESC, a.id`;
  const [hourly, cities, ofAccounts, durations, reasons, refusals, named] = await Promise.all([
    HOURLY.select(db, `${created} GROUP BY 1, 2`, range),
    accountId === null ? [] : BY_CITY.select(db, byCity, range),
    accountId === null ? BY_ACCOUNT.select(db, byAccount, range) : [],
    BY_DURATION.select(db, `${created} AND s.delivered_at IS NOT NULL GROUP BY 1 ORDER BY 1`, range),
    BY_REASON.select(db, `${of('refused')} GROUP BY 1 ORDER BY 2 DESC, 1 LIMIT ${TOP}`, range),
    count.first(db, of('refused'), range),
    accountId === null
      ? NAMED.select(db, 'FROM carriers c')
      : NAMED_OF_ACCOUNT.select(db, 'FROM carriers c', [accountId]),
  ]);
  return {
    hourly,
    cities,
    accounts: ofAccounts,
    durations,
    reasons,
    refusals: refusals ?? 0,
    carriers: named,
  };
}
