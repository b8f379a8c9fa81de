/** What the engine's documentation allows; encryption makes it longer, and the server takes 400. */
const MOST_BYTES = 200;

/** What operators know a license by: its account's name, and its carrier's. */
export interface RunNames {
  merchant: string;
  carrier: string;
}

/** What a run is for: `what`, and whose it is, where that is known. */
export function summaryFor(what: string, names: RunNames | null): string {
  return toSummary(names === null ? what : `${what}, ${names.merchant} with ${names.carrier}`);
}

/** The text as a summary of a run or a step: as much of it as the engine takes. */
export function toSummary(text: string): string {
  let bytes = 0;
  let summary = '';
  for (const character of text) {
    bytes += utf8Bytes(character.codePointAt(0) ?? 0);
    if (bytes > MOST_BYTES) break;
    summary += character;
  }
  return summary;
}

function utf8Bytes(codePoint: number): number {
  if (codePoint < 0x80) return 1;
  if (codePoint < 0x800) return 2;
  return codePoint < 0x10000 ? 3 : 4;
}
