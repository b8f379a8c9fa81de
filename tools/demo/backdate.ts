import { type Database, openDatabase } from '../../src/db/database.js';
import { isoToSql } from '../../src/lib/time.js';
import { until } from '../launcher/run.js';

/** A status comes within a second; the machine may be busy with the rest of the demo. */
const ARRIVAL_MS = 30_000;

/**
 * Moves parcels that were booked now to an earlier day: the product has no way to book yesterday, and a demo whose
 * parcels are all of this minute shows nothing of how a week goes. Only times change, of rows that the product wrote.
 */
export class Backdating {
  readonly #db: Database;

  constructor(databaseUrl: string) {
    this.#db = openDatabase({ url: databaseUrl, poolSize: 2 });
  }

  /** Of a new shipment, before it is moved. */
  async toMoment(uuid: string, atMs: number): Promise<void> {
    const at = isoToSql(new Date(atMs).toISOString());
    await this.#db.transaction(async (tx) => {
      await tx.run(
        `UPDATE shipments s JOIN orders o ON o.id = s.order_id LEFT JOIN shipment_events e ON e.shipment_id = s.id
         SET s.created_at = ?, s.updated_at = ?, s.status_at = ?, o.created_at = ?, o.updated_at = ?,
             e.occurred_at = ?, e.created_at = ?
         WHERE s.uuid = ?`,
        [at, at, at, at, at, at, at, uuid],
      );
      await tx.run(
        `UPDATE carrier_attempts SET sent_at = ?, answered_at = ? + INTERVAL 400000 MICROSECOND
         WHERE shipment_uuid = ?`,
        [at, at, uuid],
      );
    });
  }

  /**
   * Of a parcel whose carrier dates no status, so that the time of its arrival counts: waits for the last one, and moves
   * each to its own time. @throws Error when the last one does not arrive
   */
  async toSteps(uuid: string, steps: readonly { status: string; atMs: number }[]): Promise<void> {
    const last = steps.at(-1);
    if (last === undefined) return;
    const has = 'SELECT 1 AS found FROM shipments WHERE uuid = ? AND status_code = ?';
    const arrived = async () => (await this.#db.select(has, [uuid, last.status])).length > 0;
    if (!(await until(arrived, ARRIVAL_MS))) throw new Error(`${last.status} of ${uuid} has not arrived.`);
    await this.#db.transaction(async (tx) => {
      for (const { status, atMs } of steps) {
        const at = isoToSql(new Date(atMs).toISOString());
        await tx.run(
          `UPDATE shipments s JOIN shipment_events e ON e.shipment_id = s.id AND e.code = ?
           SET e.occurred_at = ?, e.created_at = ?, s.updated_at = ?, s.status_at = ?,
               s.delivered_at = IF(s.delivered_at IS NULL, NULL, ?)
           WHERE s.uuid = ?`,
          [status, at, at, at, at, at, uuid],
        );
      }
    });
  }

  async close(): Promise<void> {
    await this.#db.close();
  }
}
