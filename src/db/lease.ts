import { setTimeout as delay } from 'node:timers/promises';
import { type Database, isDuplicateKey } from './database.js';
import { int } from './row.js';
import { expression } from './selection.js';

const LEASE_MS = 10_000;
const BEAT_MS = 1000;

/** Between two looks at a lease that another process holds. */
const LOOK_MS = 200;

/** A table of names with a number each, in which a row is the lease. */
interface LeaseRow {
  table: string;
  /** Column of the number. */
  beat: string;
  name: string;
}

/**
 * Runs `work` while no other process has the lease, by whichever node of a cluster it comes: GET_LOCK is known to one
 * server alone. The lease is a row whose number its holder raises. Another process takes it over once the number stands
 * still; where a holder comes back, one of the two finds another number. `work` calls `hold` before each step.
 * @throws Error from `hold` when another process has taken over, and when others have had it for `mostSeconds`
 */
export async function underLease<T>(
  db: Database,
  row: LeaseRow,
  mostSeconds: number,
  work: (hold: () => void) => Promise<T>,
): Promise<T> {
  const lease = new Lease(db, row);
  await lease.take(mostSeconds);
  const beating = lease.beatUntilGiven();
  try {
    return await work(() => lease.hold());
  } finally {
    await lease.give(beating);
  }
}

class Lease {
  readonly #db: Database;
  readonly #row: LeaseRow;
  readonly #given = new AbortController();
  #number = 1;
  #isLost = false;

  constructor(db: Database, row: LeaseRow) {
    this.#db = db;
    this.#row = row;
  }

  hold(): void {
    if (this.#isLost) throw new Error('Another process has taken over, since this one stood still.');
  }

  async take(mostSeconds: number): Promise<void> {
    const giveUpAt = performance.now() + mostSeconds * 1000;
    let seen = { number: 0, since: performance.now() };
    while (performance.now() < giveUpAt) {
      if (await this.#insert()) return;
      const number = await this.#read();
      if (number !== seen.number) seen = { number, since: performance.now() };
      else if (performance.now() - seen.since > LEASE_MS && (await this.#raise(number))) return;
      await delay(LOOK_MS);
    }
    throw new Error(`Another process has had the lease "${this.#row.name}" for ${mostSeconds} seconds.`);
  }

  /** Ends with {@link give}. A beat that cannot be sent now is sent later: nobody can take over meanwhile either. */
  async beatUntilGiven(): Promise<void> {
    const { signal } = this.#given;
    while (!signal.aborted && !this.#isLost) {
      await delay(BEAT_MS, undefined, { signal }).catch(() => undefined);
      if (signal.aborted) return;
      const raised = await this.#raise(this.#number).catch(() => null);
      if (raised === false) this.#isLost = true;
    }
  }

  async give(beating: Promise<void>): Promise<void> {
    this.#given.abort();
    await beating;
    const { table, beat, name } = this.#row;
    await this.#db.run(`DELETE FROM ${table} WHERE name = ? AND ${beat} = ?`, [name, this.#number]);
  }

  async #insert(): Promise<boolean> {
    const { table, beat, name } = this.#row;
    try {
      await this.#db.run(`INSERT INTO ${table} (name, ${beat}) VALUES (?, ?)`, [name, this.#number]);
      return true;
    } catch (error) {
      if (isDuplicateKey(error)) return false;
      throw error;
    }
  }

  /** 0 where nobody has it any more. */
  async #read(): Promise<number> {
    const { table, beat, name } = this.#row;
    return (await expression(beat, int).first(this.#db, `FROM ${table} WHERE name = ?`, [name])) ?? 0;
  }

  async #raise(from: number): Promise<boolean> {
    const { table, beat, name } = this.#row;
    const sql = `UPDATE ${table} SET ${beat} = ${beat} + 1 WHERE name = ? AND ${beat} = ?`;
    const { affectedRows } = await this.#db.run(sql, [name, from]);
    if (affectedRows === 1) this.#number = from + 1;
    return affectedRows === 1;
  }
}
