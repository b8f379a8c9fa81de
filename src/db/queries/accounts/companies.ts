import type { Executor } from '../../database.js';
import { type Selected, shape } from '../../selection.js';
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
const NAME = shape({ name: c.name }).map(({ name }) => name);
const TABLES = 'companies c JOIN carriers r ON r.id = c.carrier_id';

/** A carrier's row. */
export type CarrierRecord = Selected<typeof CARRIER>;

/** A company of a carrier: a branch or brand that licenses belong to. Timestamps: ISO 8601 UTC. */
export type CompanyRecord = Selected<typeof COMPANY>;

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

/** Changes the given fields. */
export async function updateCompany(
  db: Executor,
  companyId: number,
  changes: { name?: string; isPremium?: boolean | undefined },
): Promise<void> {
  await companies.update(db, { id: companyId }, changes);
}
