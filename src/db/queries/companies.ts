import type { Executor, Row } from '../database.js';
import { bool, int, iso, text } from '../row.js';
import { updateRow } from '../sql.js';

/** A carrier's row. */
export interface CarrierRecord {
  id: number;
  provider: string;
  name: string;
}

/** A company of a carrier: a branch or brand that licenses belong to. Timestamps: ISO 8601 UTC. */
export interface CompanyRecord {
  id: number;
  carrier: CarrierRecord;
  name: string;
  isPremium: boolean;
  createdAt: string;
  updatedAt: string;
}

const SELECT = `SELECT c.id, c.name, c.is_premium, c.created_at, c.updated_at,
  r.id AS carrier_id, r.provider, r.name AS carrier_name
  FROM companies c JOIN carriers r ON r.id = c.carrier_id`;

/** All carriers, by ascending id. */
export async function listCarriers(db: Executor): Promise<CarrierRecord[]> {
  const rows = await db.select('SELECT id, provider, name FROM carriers ORDER BY id');
  return rows.map((row) => ({
    id: int(row, 'id'),
    provider: text(row, 'provider'),
    name: text(row, 'name'),
  }));
}

/** The company with this id; null when there is none. */
export async function findCompany(db: Executor, companyId: number): Promise<CompanyRecord | null> {
  const [row] = await db.select(`${SELECT} WHERE c.id = ?`, [companyId]);
  return row === undefined ? null : toCompany(row);
}

/** Companies by ascending id, those after an id; of one provider, or of all. */
export async function listCompanies(
  db: Executor,
  page: { provider: string | undefined; afterId: number; limit: number },
): Promise<CompanyRecord[]> {
  const [filter, values] = page.provider === undefined ? ['', []] : ['AND r.provider = ?', [page.provider]];
  const rows = await db.select(`${SELECT} WHERE c.id > ? ${filter} ORDER BY c.id LIMIT ${page.limit}`, [
    page.afterId,
    ...values,
  ]);
  return rows.map(toCompany);
}

/** Changes what is given. */
export async function updateCompany(
  db: Executor,
  companyId: number,
  changes: { name?: string; isPremium?: boolean },
): Promise<void> {
  await updateRow(db, 'companies', companyId, { name: changes.name, is_premium: changes.isPremium });
}

function toCompany(row: Row): CompanyRecord {
  return {
    id: int(row, 'id'),
    carrier: { id: int(row, 'carrier_id'), provider: text(row, 'provider'), name: text(row, 'carrier_name') },
    name: text(row, 'name'),
    isPremium: bool(row, 'is_premium'),
    createdAt: iso(row, 'created_at'),
    updatedAt: iso(row, 'updated_at'),
  };
}
