/** A value, its meaning, and the effect beyond it; `-` for a pause or a width, which has none. */
export type Entry = readonly [value: number, of: string, beyond: string];
type Values<T> = { readonly [G in keyof T]: { readonly [N in keyof T[G]]: number } };

/** The values of a table, without their meanings. */
export function valuesOf<T extends Record<string, Record<string, Entry>>>(table: T): Values<T>;
export function valuesOf(table: Record<string, Record<string, Entry>>): Values<typeof table> {
  return Object.fromEntries(
    Object.entries(table).map(([group, entries]) => [
      group,
      Object.fromEntries(Object.entries(entries).map(([name, [value]]) => [name, value])),
    ]),
  );
}
