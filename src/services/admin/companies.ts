import { Type } from 'typebox';
import type { Executor } from '../../db/database.js';
import {
  type CompanyRecord,
  type CountedCompany,
  deleteUnusedCompany,
  findCompany,
  findCompanyNamed,
  listCompanies,
  listCountedCompanies,
  updateCompany,
} from '../../db/queries/accounts/companies.js';
import { insertCompany } from '../../db/queries/accounts/license-setup.js';
import type { App } from '../app.js';
import { type ActingApp, audited } from './audited.js';
import { requireAdapter, showCarrier } from './carriers.js';
import { type Given, Id, Name, Page, pageOf, refuse, requestCheck } from './check.js';

const premium = Type.Optional(Type.Boolean());
const checkNew = requestCheck({ carrier: Type.String(), name: Name, premium });
const checkChanges = requestCheck({ id: Id, name: Type.Optional(Name), premium });
const checkPage = requestCheck({ carrier: Type.Optional(Type.String()), ...Page });

/**
 * Creates a company of a carrier. Premium ones serve only premium users in API v1. @throws AppError
 * `validation_failed`
 */
export async function createCompany(
  app: ActingApp & Pick<App, 'adapters'>,
  request: Given<typeof checkNew>,
): Promise<CompanyRecord> {
  const { carrier, name, premium: isPremium } = checkNew(request);
  const { id: carrierId } = await showCarrier(app, { carrier });
  return await audited(app, 'companies.create', async (db) => {
    const id = await insertCompany(db, { carrierId, name, isPremium });
    const result = await requireCompany({ db }, id);
    return { result, target: { kind: 'company', id }, accountId: null, after: { carrier, name, isPremium } };
  });
}

/**
 * The company of a carrier with this name, made where there is none: the person who makes a license knows its name, and
 * need not make it first. @throws AppError `validation_failed`
 */
export async function companyNamed(
  app: ActingApp & Pick<App, 'adapters'>,
  request: { carrier: string; name: string },
): Promise<CompanyRecord> {
  return (await findCompanyNamed(app.db, request)) ?? (await createCompany(app, request));
}

/** Changes the given fields. @throws AppError `validation_failed` */
export async function changeCompany(
  app: ActingApp,
  request: Given<typeof checkChanges>,
): Promise<CompanyRecord> {
  const { id, premium: isPremium, ...changes } = checkChanges(request);
  return await audited(app, 'companies.change', async (db) => {
    const before = await requireCompany({ db }, id, 'id');
    await updateCompany(db, id, { ...changes, isPremium });
    const result = await requireCompany({ db }, id, 'id');
    return { result, target: { kind: 'company', id }, accountId: null, before, after: result };
  });
}

/** Deletes a company that no license belongs to. @throws AppError `validation_failed` */
export async function deleteCompany(app: ActingApp, { id }: { id: number }): Promise<CompanyRecord> {
  return await audited(app, 'companies.delete', async (db) => {
    const before = await requireCompany({ db }, id, 'id');
    if (!(await deleteUnusedCompany(db, id))) refuse('id', 'company_in_use');
    return { result: before, target: { kind: 'company', id }, accountId: null, before };
  });
}

/** Companies by ascending id, each with the number of its licenses. */
export async function countedCompanyList(
  app: Pick<App, 'db'>,
  request: Given<typeof pageOf>,
): Promise<CountedCompany[]> {
  return listCountedCompanies(app.db, pageOf(request));
}

/** Companies by ascending id, of one carrier or all. */
export async function companyList(
  app: Pick<App, 'db' | 'adapters'>,
  request: Given<typeof checkPage>,
): Promise<CompanyRecord[]> {
  const { carrier: provider, ...page } = checkPage(request);
  if (provider !== undefined) requireAdapter(app, provider);
  return listCompanies(app.db, { provider, ...pageOf(page) });
}

/** The company, or an error at the field that names it. */
export async function requireCompany(
  { db }: { db: Executor },
  id: number,
  field = 'company',
): Promise<CompanyRecord> {
  const company = await findCompany(db, id);
  return company ?? refuse(field, 'no_such', { be: 'be the id of a company', given: `the id ${id}` });
}
