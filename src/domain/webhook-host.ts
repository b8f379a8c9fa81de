/** Host and port of a merchant's address: its path and query may be its secret. */
export function hostOf(url: string): string {
  return URL.canParse(url) ? new URL(url).host : 'an unreadable address';
}
