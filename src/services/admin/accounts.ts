import { Type } from 'typebox';
import type { Executor } from '../../db/database.js';
import {
  type AccountRecord,
  findAccount,
  insertAccount,
  listAccounts,
  mergeContacts,
  searchAccounts,
  switchAccount,
  updateAccount,
} from '../../db/queries/accounts/accounts.js';
import { switchAccountWebhooks } from '../../db/queries/webhooks/webhooks.js';
import type { JsonObject } from '../../domain/shipment.js';
import type { App } from '../app.js';
import { type ActingApp, audited } from './audited.js';
import { Email, type Given, Id, Name, pageOf, refuse, requestCheck } from './check.js';

const flag = Type.Optional(Type.Boolean());
const phone = Type.Optional(Type.String({ maxLength: 32 }));

const looks = {
  phone,
  locale: Type.Optional(Type.Unsafe<string>({ enum: ['en', 'he', 'ar'] })),
  companyName: Type.Optional(Type.String({ maxLength: 255 })),
  /** URL of a PNG, JPEG, WebP or GIF, or a `data:` URL. */
  companyLogo: Type.Optional(
    Type.String({
      pattern: '^(|https?://\\S+|data:image/\\S+)$',
      examples: ['https://blue.example/logo.png'],
      maxLength: 2048,
    }),
  ),
  /** Color of links, buttons and progress bars for recipients. */
  companyColor: Type.Optional(Type.String({ pattern: '^(|#[0-9A-Fa-f]{6})$', examples: ['#0a7d55'] })),
  supportEmail: Type.Optional(
    Type.String({ pattern: '^(|[^\\s@]+@[^\\s@]+)$', examples: ['help@blue.example'], maxLength: 255 }),
  ),
  supportPhone: phone,
  /** More contacts on the tracking page. */
  trackerPageContactInfo: Type.Optional(Type.Unsafe<JsonObject | null>({ type: ['object', 'null'] })),
  canUseCollectionPoints: flag,
  enableSortByWarehouse: flag,
  displayOrderProduct: flag,
  displayProductPriceInOrderDetail: flag,
  displayOrderNumberBarcode: flag,
  labelMethod: Type.Optional(Type.Unsafe<string>({ enum: ['builtin', 'carrier'] })),
  labelType: Type.Optional(Type.Unsafe<string>({ enum: ['thermal', 'A4'] })),
};

const checkNew = requestCheck({ name: Name, email: Email, ...looks });
const checkChanges = requestCheck({
  id: Id,
  /** Contacts of `trackerPageContactInfo` that change alone. */
  contacts: Type.Optional(Type.Record(Type.String(), Type.String({ maxLength: 500 }))),
  name: Type.Optional(Name),
  email: Type.Optional(Email),
  enableApi: flag,
  ...looks,
});

/** Creates an account without API credentials. @throws AppError `validation_failed` */
export async function createAccount(app: ActingApp, request: Given<typeof checkNew>): Promise<AccountRecord> {
  const account = checkNew(request);
  return await audited(app, 'accounts.create', async (db) => {
    const id = await insertAccount(db, account);
    const result = await requireAccount({ db }, id);
    return { result, target: { kind: 'account', id }, accountId: id, after: account };
  });
}

/** Changes the given fields. `enableApi` false refuses the account's API requests as `forbidden`. */
export async function changeAccount(
  app: ActingApp,
  request: Given<typeof checkChanges>,
): Promise<AccountRecord> {
  const { id, contacts, ...changes } = checkChanges(request);
  return await audited(app, 'accounts.change', async (db) => {
    const before = await requireAccount({ db }, id, 'id');
    await updateAccount(db, id, changes);
    if (contacts !== undefined) await mergeContacts(db, id, contacts);
    const result = await requireAccount({ db }, id, 'id');
    return { result, target: { kind: 'account', id }, accountId: id, before, after: result };
  });
}

/**
 * Disables an account everywhere, or ends that: both APIs, license keys, tokens, webhooks, connected stores, polling and
 * the panel. What is under way is finished, and parcels' mails and tracking pages stay. @throws AppError
 * `validation_failed` for an unknown id
 */
export async function setAccountDisabled(
  app: ActingApp,
  { id: accountId, isDisabled }: { id: number; isDisabled: boolean },
): Promise<AccountRecord> {
  return await audited(app, isDisabled ? 'accounts.disable' : 'accounts.enable', async (db) => {
    const before = await requireAccount({ db }, accountId, 'id');
    if (await switchAccount(db, { accountId, isDisabled })) {
      await switchAccountWebhooks(db, { accountId, isDisabled });
    }
    const result = await requireAccount({ db }, accountId, 'id');
    return { result, target: { kind: 'account', id: accountId }, accountId, before, after: result };
  });
}

/** Accounts by ascending id. */
export async function accountList(
  app: Pick<App, 'db'>,
  request: Given<typeof pageOf>,
): Promise<AccountRecord[]> {
  return listAccounts(app.db, pageOf(request));
}

/**
 * The id of the account that a person names: by its number, also behind a `#`, by its name, or by words or a beginning
 * of its name or e-mail that no other account has. @throws AppError `validation_failed`
 */
export async function accountNamed({ db }: { db: Executor }, text: string): Promise<number> {
  const [, number] = /(?:^|#)(\d{1,15})$/.exec(text) ?? [];
  if (number !== undefined) return Number(number);
  const [found, other] = await searchAccounts(db, text, 2);
  if (found === undefined) refuse('account', 'no_such', { be: 'name an account', given: text });
  const isNamed = (one: AccountRecord) => one.name.toLowerCase() === text.toLowerCase();
  const isOnly = other === undefined || (isNamed(found) && !isNamed(other));
  if (!isOnly) refuse('account', 'several_such', { be: 'name one account', given: text });
  return found.id;
}

/** The account, or an error at the field that names it. */
export async function requireAccount(
  { db }: { db: Executor },
  id: number,
  field = 'account',
): Promise<AccountRecord> {
  const account = await findAccount(db, id);
  return account ?? refuse(field, 'no_such', { be: 'be the id of an account', given: `the id ${id}` });
}
