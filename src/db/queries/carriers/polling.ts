import { LIMITS } from '../../../lib/limits/values.js';
import type { Executor } from '../../database.js';
import { bool, text } from '../../row.js';
import { expression, type Selected, shape } from '../../selection.js';
import { placeholders } from '../../sql.js';
import { shipments } from '../../tables/index.js';

const PARCELS_LOOKED_AT = 1000;
const LONGEST_SECONDS = 86_400;

const due = shipments.as('due');
const DUE = shape({
  id: due.id,
  uuid: due.uuid,
  accountId: due.accountId,
  licenseId: due.licenseId,
  trackingCode: expression(due.trackingCode.sql, text),
  carrierReference: due.carrierReference,
  status: shape({ code: due.statusCode, description: due.statusDescription, at: due.statusAt }),
  serviceType: due.serviceType,
  /** Whether its account is disabled. */
  isDisabled: expression(
    '(SELECT a.disabled_at IS NOT NULL FROM accounts a WHERE a.id = due.account_id)',
    bool,
  ),
});

/** A shipment that is due to be polled. */
export type DueShipment = Selected<typeof DUE>;

/**
 * A carrier's open shipments that are due to be polled. When more than `limit` are due, those out for delivery go
 * first, licenses take turns, and each license's longest due go first.
 */
export async function listDueShipments(
  db: Executor,
  args: { provider: string; limit: number },
): Promise<DueShipment[]> {
  return await DUE.select(
    db,
    `FROM (
       SELECT id, uuid, account_id, license_id, tracking_code, carrier_reference, next_poll_at,
         status_code, status_description, status_at, service_type, status_code = 'out_for_delivery' AS is_near
       FROM shipments
       WHERE carrier_id = (SELECT c.id FROM carriers c WHERE c.provider = ?) AND next_poll_at <= NOW(6)
         AND state = 'created' AND tracking_code IS NOT NULL
       ORDER BY next_poll_at LIMIT ${PARCELS_LOOKED_AT}) due
     ORDER BY is_near DESC, ROW_NUMBER() OVER (PARTITION BY license_id ORDER BY is_near DESC, next_poll_at), next_poll_at
     LIMIT ?`,
    [args.provider, args.limit],
  );
}

/** Postpones all due shipments of a license with a provider that cannot be polled now. */
export async function postponeLicensePolls(
  db: Executor,
  args: { provider: string; licenseId: number; seconds: number },
): Promise<void> {
  let postponed: number;
  do {
    const { affectedRows } = await db.run(
      `UPDATE shipments SET next_poll_at = NOW(6) + INTERVAL ? SECOND, updated_at = updated_at
       WHERE carrier_id = (SELECT c.id FROM carriers c WHERE c.provider = ?) AND next_poll_at <= NOW(6)
         AND license_id = ? AND state = 'created' LIMIT ${LIMITS.database.rows}`,
      [args.seconds, args.provider, args.licenseId],
    );
    postponed = affectedRows;
  } while (postponed === LIMITS.database.rows);
}

/** The shipments to postpone, and for how long. */
interface Postponed {
  ids: readonly number[];
  seconds: number;
}

/** Postpones shipments that the carrier's answer left out. */
export async function postponePolls(db: Executor, postponed: Postponed): Promise<void> {
  await postpone(db, postponed, '?');
}

/**
 * Postpones shipments that the carrier does not know or report, with a growing delay: forgotten parcels would otherwise
 * fill the polling of all its licenses forever. `seconds`: the minimum.
 */
export async function postponeUnknown(db: Executor, postponed: Postponed): Promise<void> {
  const ageSeconds = 'TIMESTAMPDIFF(SECOND, COALESCE(checked_at, status_at), NOW(6))';
  await postpone(db, postponed, `LEAST(${LONGEST_SECONDS}, GREATEST(?, ${ageSeconds} DIV 50))`);
}

async function postpone(db: Executor, { ids, seconds }: Postponed, delay: string): Promise<void> {
  if (ids.length === 0) return;
  await db.run(
    `UPDATE shipments SET next_poll_at = NOW(6) + INTERVAL ${delay} SECOND, updated_at = updated_at
     WHERE id IN (${placeholders(ids.length)}) AND next_poll_at IS NOT NULL`,
    [seconds, ...ids],
  );
}
