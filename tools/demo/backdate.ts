import { type Database, openDatabase } from '../../src/db/database.js';
import { isoToSql } from '../../src/lib/time.js';

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

  async close(): Promise<void> {
    await this.#db.close();
  }
}
