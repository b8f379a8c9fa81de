/**
 * JSON text of an object whose named members (consecutive empty objects) are replaced by stored JSON text. Parsing and
 * writing megabytes of it would block other requests.
 */
export function withStored(
  value: object,
  stored: readonly (readonly [name: string, json: string])[],
): string {
  const places = stored.map(([name]) => `"${name}":{}`).join(',');
  const members = stored.map(([name, json]) => `"${name}":${json}`).join(',');
  // No earlier text can contain the members' quoted names: JSON escapes the quotes.
  return JSON.stringify(value).replace(places, () => members);
}
