import type { Executor } from '../../database.js';
import { int } from '../../row.js';
import { expression, type Selected, shape } from '../../selection.js';
import { settlementCopies } from '../../tables/index.js';

const COPY = shape({
  settlements: settlementCopies.as('c').settlements,
  ageSeconds: expression('TIMESTAMPDIFF(SECOND, c.refreshed_at, NOW(6))', int),
});

/** A carrier's list of settlements, fetched for a license. */
type SettlementCopy = Selected<typeof COPY>;

/** The license's copy, however old; null when there is none. */
export async function findSettlementCopy(db: Executor, licenseId: number): Promise<SettlementCopy | null> {
  return await COPY.first(db, 'FROM settlement_copies c WHERE c.license_id = ?', [licenseId]);
}

/** Replaces the license's copy. */
export async function saveSettlementCopy(
  db: Executor,
  copy: { licenseId: number; settlements: string[] },
): Promise<void> {
  const replacing = 'ON DUPLICATE KEY UPDATE settlements = VALUES(settlements), refreshed_at = NOW(6)';
  await settlementCopies.insertText(db, [copy], replacing);
}
