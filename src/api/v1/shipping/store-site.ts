import { findSiteByDomain } from '../../../db/queries/accounts/store-sites.js';
import type { HttpApp } from '../../http-app.js';
import type { TokenUser } from '../guards.js';

/** Host of a store whose domain is given as a URL. */
const HOST = /^(?:https?:\/\/)?([^/?#]*)/i;

/** Id of the calling store site: the active one of the user's account with this domain; null when there is none. */
export async function siteOf(
  { db }: Pick<HttpApp, 'db'>,
  user: TokenUser,
  domain: string,
): Promise<number | null> {
  const [, host = ''] = HOST.exec(domain) ?? [];
  return await findSiteByDomain(db, { accountId: user.accountId, domain: host.toLowerCase() });
}
