import { isoToSql } from '../../../lib/time.js';
import type { Executor } from '../../database.js';
import { type Selected, shape } from '../../selection.js';
import { shipments } from '../../tables/index.js';

const s = shipments.as('s');

/** A reservation whose creation may be abandoned; `createdAt` (ISO 8601 UTC) and `id` are its place. */
export type StaleReservation = Selected<typeof STALE>;

const STALE = shape({
  id: s.id,
  createdAt: s.createdAt,
  uuid: s.uuid,
  /** Workflow of its creation. */
  workflowId: s.workflowId,
});

/**
 * A page of reservations older than the given age, oldest first, after the given place. `withWaiting`: also those that
 * wait for a person.
 */
export async function listStaleReservations(
  db: Executor,
  args: {
    olderThanSeconds: number;
    limit: number;
    after: Pick<StaleReservation, 'id' | 'createdAt'> | undefined;
    withWaiting?: boolean;
  },
): Promise<StaleReservation[]> {
  const { after, withWaiting = false } = args;
  const place = after === undefined ? [] : [isoToSql(after.createdAt), isoToSql(after.createdAt), after.id];
  return await STALE.select(
    db,
    `FROM shipments s
     WHERE ${s.state} = 'reserved' AND ${s.createdAt} < NOW(6) - INTERVAL ? SECOND
       ${withWaiting ? '' : `AND ${s.statusCode} <> 'needs_attention'`}
       ${after === undefined ? '' : `AND ${s.createdAt} >= ? AND (${s.createdAt} > ? OR ${s.id} > ?)`}
     ORDER BY ${s.createdAt}, ${s.id} LIMIT ?`,
    [args.olderThanSeconds, ...place, args.limit],
  );
}
