import { findSiteByDomain } from '../../../db/queries/store-sites.js';
import type { HttpApp } from '../../http-app.js';
import type { TokenUser } from '../guards.js';

/** The host of a store that gives its domain as an address. */
const HOST = /^(?:https?:\/\/)?([^/?#]*)/i;

/** Id of the store site that calls: the active one of the user's account with this domain; null where there is none. */
export async function siteOf(
  { db }: Pick<HttpApp, 'db'>,
  user: TokenUser,
  domain: string,
): Promise<number | null> {
  const [, host = ''] = HOST.exec(domain) ?? [];
  return await findSiteByDomain(db, { accountId: user.accountId, domain: host.toLowerCase() });
}
