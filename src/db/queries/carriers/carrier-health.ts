import type { Executor } from '../../database.js';
import { int, iso, text } from '../../row.js';
import { expression, type Selected, shape } from '../../selection.js';

const HOUR = 'r.sent_at > NOW(6) - INTERVAL 1 HOUR';
const count = (condition: string) => expression(`COALESCE(SUM(${condition}), 0)`, int);
const periodOf = (isWithin: string) =>
  shape({
    asked: count(isWithin),
    accepted: count(`${isWithin} AND r.state = 'accepted'`),
    rejected: count(`${isWithin} AND r.state = 'rejected'`),
    notSent: count(`${isWithin} AND r.state = 'not_sent'`),
    unknown: count(`${isWithin} AND r.state = 'unknown'`),
    sending: count(`${isWithin} AND r.state = 'sending'`),
  });
const HEALTH = shape({
  provider: expression('c.provider', text),
  licenseId: expression('l.id', int),
  license: expression('l.name', text),
  accountId: expression('a.id', int),
  merchant: expression('a.name', text),
  hour: periodOf(HOUR),
  day: periodOf('TRUE'),
  /** Of all licenses of the carrier: the median of what it answered by itself. */
  typicalMs: expression(
    'MAX(IF(r.ms IS NOT NULL AND r.position = CEIL(r.answered / 2), r.ms, NULL))',
    int,
  ).or(null),
  lastSuccessAt: expression("MAX(IF(r.state = 'accepted', r.sent_at, NULL))", iso).or(null),
  firstAt: expression('MIN(r.sent_at)', iso),
});

/** Booking attempts at a carrier under one license, by outcome. Times: ISO 8601 UTC. */
export type LicenseHealth = Selected<typeof HEALTH>;

/**
 * The booking attempts of the last day by carrier and license, by outcome: the newest `limit` of them, so that a busy
 * day costs no more. A time counts where the carrier has booked or refused; one that a person decided is left out.
 */
export async function listCarrierHealth(
  db: Executor,
  { limit }: { limit: number },
): Promise<LicenseHealth[]> {
  const newest = `SELECT shipment_uuid, state, sent_at, answered_at FROM carrier_attempts
    WHERE sent_at > NOW(6) - INTERVAL 1 DAY AND operation = 'book' ORDER BY sent_at DESC LIMIT ?`;
  const timed = `SELECT s.carrier_id, s.license_id, t.state, t.sent_at,
      IF(t.state IN ('accepted', 'rejected') AND t.answered_at < t.sent_at + INTERVAL 5 MINUTE,
        TIMESTAMPDIFF(MICROSECOND, t.sent_at, t.answered_at) DIV 1000, NULL) AS ms
    FROM (${newest}) t STRAIGHT_JOIN shipments s ON s.uuid = t.shipment_uuid`;
  return await HEALTH.select(
    db,
    `FROM (SELECT m.*, COUNT(m.ms) OVER (PARTITION BY m.carrier_id) AS answered,
         ROW_NUMBER() OVER (PARTITION BY m.carrier_id, m.ms IS NULL ORDER BY m.ms) AS position
       FROM (${timed}) m) r
     JOIN carriers c ON c.id = r.carrier_id JOIN licenses l ON l.id = r.license_id
     JOIN accounts a ON a.id = l.account_id
     GROUP BY c.provider, l.id, l.name, a.id, a.name
     ORDER BY c.provider, l.id`,
    [limit],
  );
}
