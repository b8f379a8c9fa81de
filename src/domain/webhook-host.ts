/** Host and port of a merchant's URL: its path and query may be secret. */
export function hostOf(url: string): string {
  return URL.canParse(url) ? new URL(url).host : 'an unreadable address';
}
