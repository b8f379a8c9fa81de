/** The values of an `enum` as a message lists them: each once, whether it may be sent as a number or as its text. */
export function choices(allowed: readonly unknown[]): string {
  return [...new Set(allowed.map(String))].join(', ');
}
