/** The text at the nested `names`; undefined when there is none. */
export function textAt(value: unknown, ...names: readonly string[]): string | undefined {
  const found = names.reduce<unknown>(
    (at, name) => (typeof at === 'object' && at !== null ? Reflect.get(at, name) : undefined),
    value,
  );
  return typeof found === 'string' ? found : undefined;
}
