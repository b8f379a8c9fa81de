import type { Random } from '../faults/seeded-random.js';

/** A JSON Schema of the OpenAPI document. */
export type Schema = Record<string, any>;

/** Texts that break programs: other types, too long, with problematic bytes. */
const HOSTILE_TEXTS = [
  '',
  ' ',
  '0',
  '-1',
  '1e999',
  'null',
  '__proto__',
  'constructor',
  "' OR 1=1 --",
  '%',
  '../../etc/passwd',
  '<script>alert(1)</script>',
  '{{ constructor }}',
  '=1+1',
  '\u0000',
  '\ud800',
  '\u202eevil',
  'ש״ל ÄÖ 𝕏 👩‍👩‍👧',
  'a\r\nb: c',
  'x'.repeat(300),
  'x'.repeat(5000),
];

const WILD: readonly unknown[] = [
  null,
  true,
  0,
  -1,
  1.5,
  9007199254740991,
  1e21,
  [],
  {},
  [[[]]],
  [null],
  { id: 1, account_id: 1 },
];

/** Existing values by property name. */
export type Known = Readonly<Record<string, readonly unknown[]>>;

/** Generates values of schemas: mostly valid, sometimes at a limit, sometimes of another kind. */
export class SchemaFuzzer {
  readonly #random: Random;
  readonly #components: Record<string, Schema>;
  readonly #known: Known;

  constructor(random: Random, components: Record<string, Schema>, known: Known) {
    this.#random = random;
    this.#components = components;
    this.#known = known;
  }

  /** True once in `n` times. */
  oneIn(n: number): boolean {
    return this.#random.below(n) === 0;
  }

  hostileText(): string {
    return this.#random.pick(HOSTILE_TEXTS);
  }

  /** A value of the schema; `name` is the property's. */
  value(schema: Schema, name = '', depth = 0): unknown {
    const known = this.#known[name];
    if (known !== undefined && known.length > 0 && !this.oneIn(8)) return this.#random.pick(known);
    if (this.oneIn(15)) return this.#random.pick(WILD);
    if (this.oneIn(20)) return this.hostileText();
    return this.#valid(this.#resolve(schema), name, depth);
  }

  /** The example with some values replaced. */
  mutated(example: unknown, schema: Schema): unknown {
    return this.#mutate(example, this.#resolve(schema), '', 0);
  }

  #mutate(value: unknown, schema: Schema, name: string, depth: number): unknown {
    const known = this.#known[name];
    if (known !== undefined && known.length > 0) return this.#random.pick(known);
    if (depth > 0 && this.oneIn(12)) return this.value(schema, name, depth);
    if (Array.isArray(value)) {
      const items = this.#resolve(schema.items ?? {});
      return value.map((item) => this.#mutate(item, items, name, depth + 1));
    }
    if (typeof value !== 'object' || value === null) return value;
    const kept = Object.entries(value).filter(() => !this.oneIn(25));
    return Object.fromEntries(
      kept.map(([key, part]) => [
        key,
        this.#mutate(part, this.#resolve(schema.properties?.[key] ?? {}), key, depth + 1),
      ]),
    );
  }

  #resolve(schema: Schema): Schema {
    const reference: unknown = schema.$ref;
    if (typeof reference !== 'string') return schema;
    return this.#components[reference.split('/').at(-1) ?? ''] ?? {};
  }

  #valid(schema: Schema, name: string, depth: number): unknown {
    const choices = schema.anyOf ?? schema.oneOf;
    if (choices !== undefined) return this.value(this.#random.pick<Schema>(choices), name, depth);
    if (schema.enum !== undefined) return this.#random.pick<unknown>(schema.enum);
    if (schema.const !== undefined) return schema.const;
    const types: string[] = [schema.type ?? 'string'].flat();
    switch (this.#random.pick(types)) {
      case 'object':
        return this.#object(schema, depth);
      case 'array':
        return this.#array(schema, name, depth);
      case 'integer':
        return this.#number(schema, 1);
      case 'number':
        return this.#number(schema, 0.25);
      case 'boolean':
        return this.oneIn(2);
      case 'null':
        return null;
      default:
        return this.#text(schema);
    }
  }

  #object(schema: Schema, depth: number): Record<string, unknown> {
    const required: string[] = schema.required ?? [];
    const entries = Object.entries<Schema>(schema.properties ?? {}).filter(([key]) =>
      required.includes(key) ? !this.oneIn(20) : depth < 5 && this.oneIn(2),
    );
    const made = entries.map(([key, property]): [string, unknown] => [
      key,
      this.value(property, key, depth + 1),
    ]);
    if (this.oneIn(6)) made.push([this.#random.pick(['id', 'account_id', 'status', 'x'.repeat(200)]), 1]);
    return Object.fromEntries(made);
  }

  #array(schema: Schema, name: string, depth: number): unknown[] {
    const least: number = schema.minItems ?? 0;
    const most: number = Math.min(schema.maxItems ?? 3, 3);
    const length = this.oneIn(15) ? 0 : least + this.#random.below(Math.max(1, most - least + 1));
    return Array.from({ length }, () => this.value(schema.items ?? {}, name, depth + 1));
  }

  #number(schema: Schema, step: number): number {
    const { minimum = -5, maximum = 1000 } = schema;
    if (this.oneIn(3)) return this.#random.pick([minimum, maximum, minimum - step, maximum + step]);
    return minimum + this.#random.below(Math.min(1000, Math.max(1, maximum - minimum + 1)));
  }

  #text(schema: Schema): string {
    const { format, maxLength, examples } = schema;
    if (Array.isArray(examples) && this.oneIn(2)) return String(this.#random.pick<unknown>(examples));
    if (format === 'uuid') return '019aa5a6-7c3a-7d4e-8f00-3f1c1d2e4b5a';
    if (format === 'email') return 'someone@example.test';
    if (format === 'uri')
      return this.#random.pick(['https://hooks.invalid/x', 'http://127.0.0.1:9/', 'ftp://x']);
    if (format === 'date') return '2026-11-21';
    if (format === 'date-time') return '2026-11-21T09:30:00.123456Z';
    if (typeof maxLength === 'number' && maxLength < 5000 && this.oneIn(4))
      return 'é'.repeat(maxLength + this.#random.below(2));
    return this.#random.pick(['a', 'Haifa', '1001', 'ILS', '2026-11-21', 'דנה לוי', '12.50', 'en']);
  }
}
