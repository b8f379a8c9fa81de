import { type Static, Type } from 'typebox';
import {
  type CompanyRecord,
  findCompany,
  listCompanies,
  updateCompany,
} from '../../db/queries/accounts/companies.js';
import { insertCompany } from '../../db/queries/accounts/license-setup.js';
import { compileOnUse } from '../../lib/schema.js';
import type { App } from '../app.js';
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
  app: Pick<App, 'db' | 'adapters'>,
  request: Given<Static<typeof newCompany>>,
): Promise<CompanyRecord> {
  const { carrier, name, premium: isPremium } = checked(checkNew(), request);
  const { id: carrierId } = await showCarrier(app, { carrier });
  const id = await insertCompany(app.db, {
    carrierId,
    name,
    ...(isPremium === undefined ? {} : { isPremium }),
  });
  return requireCompany(app, id);
}

/** Changes the given fields. @throws AppError `validation_failed` */
export async function changeCompany(
  app: Pick<App, 'db'>,
  request: Given<Static<typeof companyChanges>>,
): Promise<CompanyRecord> {
  const { id, premium: isPremium, ...changes } = checked(checkChanges(), request);
  await updateCompany(app.db, id, { ...changes, ...(isPremium === undefined ? {} : { isPremium }) });
  return requireCompany(app, id, 'id');
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
  app: Pick<App, 'db'>,
  id: number,
  field = 'company',
): Promise<CompanyRecord> {
  const company = await findCompany(app.db, id);
  if (company === null)
    throw fieldError(field, `must be the id of a company; there is none with the id ${id}`);
  return company;
}
