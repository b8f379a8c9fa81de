import type { Executor } from '../database.js';
import { int, json } from '../row.js';

/** A carrier's list of settlements as it was told for a license. */
export interface SettlementCopy {
  settlements: string[];
  ageSeconds: number;
}

/** The license's copy, however old; null when there is none. */
export async function findSettlementCopy(db: Executor, licenseId: number): Promise<SettlementCopy | null> {
  const [row] = await db.select(
    `SELECT settlements, TIMESTAMPDIFF(SECOND, refreshed_at, NOW(6)) AS age
     FROM settlement_copies WHERE license_id = ?`,
    [licenseId],
  );
  if (row === undefined) return null;
  const settlements = json(row, 'settlements');
  return {
    settlements: Array.isArray(settlements) ? settlements.filter((one) => typeof one === 'string') : [],
    ageSeconds: int(row, 'age'),
  };
}

/** Puts the list in the place of the license's copy. */
export async function saveSettlementCopy(
  db: Executor,
  { licenseId, settlements }: { licenseId: number; settlements: readonly string[] },
): Promise<void> {
  await db.run(
    `INSERT INTO settlement_copies (license_id, settlements) VALUES (?, ?)
     ON DUPLICATE KEY UPDATE settlements = VALUES(settlements), refreshed_at = NOW(6)`,
    [licenseId, JSON.stringify(settlements)],
  );
}
