/**
 * Writes a parsed JSON value as canonical text (RFC 8785) in pieces: keys sorted by UTF-16 code units, no white
 * space, numbers and texts as in ECMAScript. No piece ends inside a text.
 */
export function writeCanonicalJson(value: unknown, write: (piece: string) => void): void {
  if (Array.isArray(value)) writeArray(value, write);
  else if (typeof value === 'object' && value !== null) writeObject(value, write);
  else write(JSON.stringify(value) ?? 'null');
}

function writeArray(values: readonly unknown[], write: (piece: string) => void): void {
  write('[');
  for (const [index, value] of values.entries()) {
    if (index > 0) write(',');
    writeCanonicalJson(value, write);
  }
  write(']');
}

function writeObject(object: object, write: (piece: string) => void): void {
  const members = new Map<string, unknown>(Object.entries(object));
  let separator = '{';
  // The default sort compares code units.
  for (const key of [...members.keys()].sort()) {
    write(`${separator}${JSON.stringify(key)}:`);
    writeCanonicalJson(members.get(key), write);
    separator = ',';
  }
  write(members.size === 0 ? '{}' : '}');
}
