/** A license for operators: the names of its account and carrier. */
export interface RunNames {
  merchant: string;
  carrier: string;
}

/** A run's purpose, with the license if known. */
export function summaryFor(what: string, names: RunNames | null): string {
  return toSummary(names === null ? what : `${what}, ${names.merchant} with ${names.carrier}`);
}

/** Cuts a text to the engine's limit for summaries. */
export function toSummary(text: string): string {
  let bytes = 0;
  let summary = '';
  for (const character of text) {
    bytes += utf8Bytes(character.codePointAt(0) ?? 0);
    // The engine's documentation allows no more; encryption makes it longer.
    if (bytes > 200) break;
    summary += character;
  }
  return summary;
}

function utf8Bytes(codePoint: number): number {
  if (codePoint < 0x80) return 1;
  if (codePoint < 0x800) return 2;
  return codePoint < 0x10000 ? 3 : 4;
}
