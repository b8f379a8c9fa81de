/**
 * JSON text of an object in which the members named, empty objects that follow one another, are what is stored as JSON
 * text. Reading and writing megabytes of it would hold up everybody else.
 */
export function withStored(
  value: object,
  stored: readonly (readonly [name: string, json: string])[],
): string {
  const places = stored.map(([name]) => `"${name}":{}`).join(',');
  const members = stored.map(([name, json]) => `"${name}":${json}`).join(',');
  // No text before the members can hold their names in quotes: JSON escapes them there.
  return JSON.stringify(value).replace(places, () => members);
}
