import type { Executor } from '../../database.js';
import { int } from '../../row.js';
import { expression, type Selected, shape } from '../../selection.js';
import { carriers, companies } from '../../tables/index.js';
import { type Condition, type IdPage, selectAfterId } from '../keyset.js';

const c = companies.as('c');
const r = carriers.as('r');
const CARRIER = shape({ id: r.id, provider: r.provider, name: r.name });
const COMPANY = shape({
  id: c.id,
  carrier: CARRIER,
  name: c.name,
  isPremium: c.isPremium,
  createdAt: c.createdAt,
  updatedAt: c.updatedAt,
});
const COUNTED = shape({
  id: c.id,
  carrier: CARRIER,
  name: c.name,
  isPremium: c.isPremium,
  licenses: expression('(SELECT COUNT(*) FROM licenses l WHERE l.company_id = c.id)', int),
});
const NAME = shape({ name: c.name }).map(({ name }) => name);
const TABLES = 'companies c JOIN carriers r ON r.id = c.carrier_id';

/** A carrier's row. */
export type CarrierRecord = Selected<typeof CARRIER>;

/** A company of a carrier: a branch or brand that licenses belong to. Timestamps: ISO 8601 UTC. */
export type CompanyRecord = Selected<typeof COMPANY>;

/** A company with the number of its licenses. */
export type CountedCompany = Selected<typeof COUNTED>;

/** All carriers, by ascending id. */
export async function listCarriers(db: Executor): Promise<CarrierRecord[]> {
  return await CARRIER.select(db, 'FROM carriers r ORDER BY r.id');
}

/** The company with this id; null when there is none. */
export async function findCompany(db: Executor, companyId: number): Promise<CompanyRecord | null> {
  return await COMPANY.first(db, `FROM ${TABLES} WHERE c.id = ?`, [companyId]);
}

/** The first company of a provider with this name; null when there is none. */
export async function findCompanyNamed(
  db: Executor,
  { carrier, name }: { carrier: string; name: string },
): Promise<CompanyRecord | null> {
  const tail = `FROM ${TABLES} WHERE r.provider = ? AND c.name = ? ORDER BY c.id LIMIT 1`;
  return await COMPANY.first(db, tail, [carrier, name]);
}

/** Names of the companies of a provider that an account has licenses of. */
export async function listCompanyNames(
  db: Executor,
  { accountId, provider }: { accountId: number; provider: string },
): Promise<string[]> {
  return await NAME.select(
    db,
    `FROM ${TABLES} WHERE r.provider = ?
     AND EXISTS (SELECT 1 FROM licenses l WHERE l.company_id = c.id AND l.account_id = ?)
     GROUP BY c.name ORDER BY c.name`,
    [provider, accountId],
  );
}

/** Companies after an id, by ascending id; of one provider, or of all. */
export async function listCompanies(
  db: Executor,
  page: IdPage & { provider: string | undefined },
): Promise<CompanyRecord[]> {
  const where: Condition[] = [['r.provider = ?', page.provider]];
  return await selectAfterId(db, COMPANY, { from: TABLES, where, id: 'c.id' }, page);
}

/** The company with this id, and the number of its licenses; null when there is none. */
export async function findCountedCompany(db: Executor, companyId: number): Promise<CountedCompany | null> {
  return await COUNTED.first(db, `FROM ${TABLES} WHERE c.id = ?`, [companyId]);
}

/** Companies after an id, by ascending id, with the numbers of their licenses. */
export async function listCountedCompanies(db: Executor, page: IdPage): Promise<CountedCompany[]> {
  return await selectAfterId(db, COUNTED, { from: TABLES, id: 'c.id' }, page);
}

/** Deletes a company; false when it has licenses. */
export async function deleteUnusedCompany(db: Executor, companyId: number): Promise<boolean> {
  const { affectedRows } = await db.run(
    'DELETE FROM companies WHERE id = ? AND NOT EXISTS (SELECT 1 FROM licenses WHERE company_id = ?)',
    [companyId, companyId],
  );
  return affectedRows === 1;
}

/** Changes the given fields. */
export async function updateCompany(
  db: Executor,
  companyId: number,
  changes: { name?: string; isPremium?: boolean | undefined },
): Promise<void> {
  await companies.update(db, { id: companyId }, changes);
}
