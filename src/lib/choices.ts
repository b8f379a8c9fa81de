/** Lists an `enum`'s values for a message, each once, as number or text. */
export function choices(allowed: readonly unknown[]): string {
  return [...new Set(allowed.map(String))].join(', ');
}
