/** Parses a text as JSON, without its byte order mark; undefined when it is not JSON, or cut short. */
export function jsonOf(body: Uint8Array): unknown {
  try {
    return JSON.parse(new TextDecoder().decode(body));
  } catch {
    return undefined;
  }
}

/** Whether it is an object but no list. */
export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The value at the nested `names`; undefined when one is missing. Inherited properties do not count. */
export function valueAt(value: unknown, ...names: string[]): unknown {
  let found = value;
  for (const name of names) {
    if (typeof found !== 'object' || found === null || !Object.hasOwn(found, name)) return undefined;
    found = Reflect.get(found, name);
  }
  return found;
}

/** The object at the nested `names`; null for anything else, lists included. */
export function objectAt(value: unknown, ...names: string[]): Record<string, unknown> | null {
  const found = valueAt(value, ...names);
  return isObject(found) ? found : null;
}

/** The trimmed text at the nested `names`, a number in decimal form; empty for anything else. */
export function textAt(value: unknown, ...names: string[]): string {
  const found = valueAt(value, ...names);
  if (typeof found === 'number' && Number.isFinite(found)) return String(found);
  return typeof found === 'string' ? found.trim() : '';
}

/** The string at the nested `names`, as it is; undefined for anything else. */
export function stringAt(value: unknown, ...names: string[]): string | undefined {
  const found = valueAt(value, ...names);
  return typeof found === 'string' ? found : undefined;
}
