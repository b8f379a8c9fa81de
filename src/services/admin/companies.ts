import { type Static, Type } from 'typebox';
import type { Executor } from '../../db/database.js';
import {
  type CompanyRecord,
  findCompany,
  listCompanies,
  updateCompany,
} from '../../db/queries/accounts/companies.js';
import { insertCompany } from '../../db/queries/accounts/license-setup.js';
import { compileOnUse } from '../../lib/schema.js';
import type { App } from '../app.js';
import { type ActingApp, audited } from './audited.js';
import { requireAdapter, showCarrier } from './carriers.js';
import { checked, fieldError, type Given, Id, Name, Page, pageOf } from './check.js';

const premium = Type.Optional(Type.Boolean());
const newCompany = Type.Object(
  { carrier: Type.String(), name: Name, premium },
  { additionalProperties: false },
);
const companyChanges = Type.Object(
  { id: Id, name: Type.Optional(Name), premium },
  { additionalProperties: false },
);
const companyPage = Type.Object(
  { carrier: Type.Optional(Type.String()), ...Page },
  { additionalProperties: false },
);
const checkNew = compileOnUse<Static<typeof newCompany>>(newCompany);
const checkChanges = compileOnUse<Static<typeof companyChanges>>(companyChanges);
const checkPage = compileOnUse<Static<typeof companyPage>>(companyPage);

/**
 * Creates a company of a carrier. Premium ones serve only premium users in API v1. @throws AppError
 * `validation_failed`
 */
export async function createCompany(
  app: ActingApp & Pick<App, 'adapters'>,
  request: Given<Static<typeof newCompany>>,
): Promise<CompanyRecord> {
  const { carrier, name, premium: isPremium } = checked(checkNew(), request);
  const { id: carrierId } = await showCarrier(app, { carrier });
  return await audited(app, 'companies.create', async (db) => {
    const id = await insertCompany(db, {
      carrierId,
      name,
      ...(isPremium === undefined ? {} : { isPremium }),
    });
    const result = await requireCompany({ db }, id);
    return { result, target: { kind: 'company', id }, accountId: null, after: { carrier, name, isPremium } };
  });
}

/** Changes the given fields. @throws AppError `validation_failed` */
export async function changeCompany(
  app: ActingApp,
  request: Given<Static<typeof companyChanges>>,
): Promise<CompanyRecord> {
  const { id, premium: isPremium, ...changes } = checked(checkChanges(), request);
  return await audited(app, 'companies.change', async (db) => {
    const before = await requireCompany({ db }, id, 'id');
    await updateCompany(db, id, { ...changes, ...(isPremium === undefined ? {} : { isPremium }) });
    const result = await requireCompany({ db }, id, 'id');
    return { result, target: { kind: 'company', id }, accountId: null, before, after: result };
  });
}

/** Companies by ascending id, of one carrier or all. */
export async function companyList(
  app: Pick<App, 'db' | 'adapters'>,
  request: Given<Static<typeof companyPage>>,
): Promise<CompanyRecord[]> {
  const values = checked(checkPage(), request);
  if (values.carrier !== undefined) requireAdapter(app, values.carrier);
  return listCompanies(app.db, { provider: values.carrier, ...pageOf(values) });
}

/** The company, or an error at the field that names it. */
export async function requireCompany(
  { db }: { db: Executor },
  id: number,
  field = 'company',
): Promise<CompanyRecord> {
  const company = await findCompany(db, id);
  if (company === null)
    throw fieldError(field, `must be the id of a company; there is none with the id ${id}`);
  return company;
}
