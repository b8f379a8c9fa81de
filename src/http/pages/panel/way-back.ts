/** Of an address to come back to; it also goes through a cookie. */
const MOST_CHARACTERS = 1000;
/** Pages that are no use to come back to, and a folder of what is no page. */
const PASSING = /^\/panel\/(sign-in|sign-out|invitation|live|assets)(\/|$)/;

/** The path and query of a page of the panel behind the sign-in; null for any other address, so that none leads elsewhere. */
export function ownPage(address: unknown): string | null {
  if (typeof address !== 'string' || address.length > MOST_CHARACTERS) return null;
  const base = 'http://panel';
  if (!address.startsWith('/') || !URL.canParse(address, base)) return null;
  const { origin, pathname, searchParams } = new URL(address, base);
  if (origin !== base || !pathname.startsWith('/panel/') || PASSING.test(pathname)) return null;
  searchParams.delete('notice');
  const query = searchParams.toString();
  return query === '' ? pathname : `${pathname}?${query}`;
}

/** The sign-in, which leads back to a page where it is one of ours. `query`: its other parameters. */
export function signInPath(
  to: unknown,
  { path = '/panel/sign-in', query = {} }: { path?: string; query?: Readonly<Record<string, string>> } = {},
): string {
  const page = ownPage(to);
  const values = new URLSearchParams({ ...query, ...(page === null ? {} : { to: page }) }).toString();
  return values === '' ? path : `${path}?${values}`;
}
