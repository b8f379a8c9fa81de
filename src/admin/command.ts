import { hostname, userInfo } from 'node:os';
import { type Command, InvalidArgumentError } from 'commander';
import type { Actor } from '../domain/audit.js';
import type { App } from '../services/app.js';
import type { tellParcel } from '../services/shipments/parcel-story.js';
import { forPeople, outward } from './output.js';

/** Dependencies of the commands. */
export type AdminCliApp = Parameters<typeof tellParcel>[0] &
  Pick<
    App<
      | 'appKeys'
      | 'baseUrl'
      | 'webhookAllowCidrs'
      | 'webhookRetrySeconds'
      | 'payloadEncryption'
      | 'pollIntervalSeconds'
      | 'retention'
      | 'temporalAddress'
    >,
    | 'db'
    | 'temporal'
    | 'config'
    | 'adapters'
    | 'carriers'
    | 'outbound'
    | 'wake'
    | 'storage'
    | 'onRestored'
    | 'lostLooks'
  >;

/** The same for a command that changes something: it is recorded who does. */
export type ActingCliApp = AdminCliApp & { actor: Actor };

/** Opens a command's dependencies, runs it and closes them. */
export type Session = <T>(work: (app: AdminCliApp) => Promise<T>) => Promise<T>;

/** Arguments as texts, and parsed options by camel-case name. */
export interface CommandInput {
  args: readonly string[];
  options: Readonly<Record<string, unknown>>;
}

/** Flags, description and an optional parser, which also gets the previous value of a repeated option. */
export type CommandOption = readonly [
  flags: string,
  description: string,
  parse?: (text: string, before: unknown) => unknown,
];

interface CommandSpec<A = AdminCliApp> {
  /** With the names of its arguments: `show <id>`. */
  name: string;
  summary: string;
  options?: readonly CommandOption[];
  /** Shown by `--help`, without the program's name. */
  examples: readonly string[];
  /** An async iterable of texts is printed as it comes. */
  run(app: A, input: CommandInput): Promise<unknown>;
  /** The result as the table shows it, where it is not the one of JSON. */
  forTable?(result: unknown): unknown;
  /** Table columns of a list, named as in JSON; `carrier.provider` for a nested value. */
  columns?: readonly string[];
  /** Printed on standard error after the result, such as that a secret is shown once. */
  note?: string;
}

/** `argument` names the object, such as `example`; `disable` and `enable` are summaries. */
interface SwitchSpec {
  argument: string;
  example: string;
  part?: string;
  disable: string;
  enable: string;
  run(app: ActingCliApp, named: string, isEnabled: boolean): Promise<unknown>;
}

/** A noun whose commands are verbs, or the program itself, with what its commands need. */
export class Commands {
  readonly #parent: Command;
  readonly #session: Session;

  constructor(parent: Command, session: Session) {
    this.#parent = parent;
    this.#session = session;
  }

  /** Adds a noun. */
  addNoun(name: string, summary: string, example: string): Commands {
    const noun = this.#parent.command(name).description(summary);
    addExamples(noun, [example]);
    return new Commands(noun, this.#session);
  }

  /** Adds a command with `--json` and examples. */
  add(spec: CommandSpec): void {
    const command = this.#parent.command(spec.name).description(spec.summary);
    for (const [flags, description, parse] of spec.options ?? []) {
      if (parse === undefined) command.option(flags, description);
      else command.option(flags, description, parse);
    }
    command.option('--json', 'print JSON');
    addExamples(command, spec.examples);
    command.action(async () => {
      const { json, ...options }: Record<string, unknown> = command.opts();
      await this.#session(async (app) => {
        const result = await spec.run(app, { args: command.args, options });
        if (isPieces(result)) {
          for await (const piece of result) process.stdout.write(piece);
        } else if (json === true) {
          process.stdout.write(`${JSON.stringify(outward(result), null, 2)}\n`);
        } else {
          process.stdout.write(forPeople(spec.forTable?.(result) ?? result, spec.columns ?? []));
        }
      });
      if (spec.note !== undefined) process.stderr.write(`${spec.note}\n`);
    });
  }

  /** Adds a command that changes something, and `--as` for its audit. */
  addChange(spec: CommandSpec<ActingCliApp>): void {
    this.add({
      ...spec,
      options: [
        ...(spec.options ?? []),
        ['--as <name>', 'who you are, for the audit; the user of this machine'],
      ],
      run: (app, { args, options: { as, ...options } }) => {
        if (spec.name.startsWith('change ') && Object.keys(options).length === 0) {
          throw new InvalidArgumentError(
            `Nothing to change was given: ${this.#parent.name()} change --help lists it.`,
          );
        }
        return spec.run({ ...app, actor: actorOf(as) }, { args, options });
      },
    });
  }

  /** Adds `disable` and `enable` of one object, or of a part of it, such as `disable-api`. */
  addSwitch({ argument, example, part, run, ...summaries }: SwitchSpec): void {
    for (const verb of ['disable', 'enable'] as const) {
      const name = part === undefined ? verb : `${verb}-${part}`;
      this.addChange({
        name: `${name} ${argument}`,
        summary: summaries[verb],
        examples: [`${this.#parent.name()} ${name} ${example}`],
        run: (app, { args: [named = ''] }) => run(app, named, verb === 'enable'),
      });
    }
  }
}

/** The person at this program: the given name, else the user of the operating system. */
function actorOf(name: unknown): Actor {
  return { kind: 'admin', name: typeof name === 'string' ? name : osUser(), origin: hostname() };
}

/** A container's user may have no name. */
function osUser(): string {
  try {
    return userInfo().username;
  } catch {
    return `user ${process.getuid?.() ?? 'unknown'}`;
  }
}

function isPieces(result: unknown): result is AsyncIterable<string> {
  return typeof result === 'object' && result !== null && Symbol.asyncIterator in result;
}

function addExamples(command: Command, examples: readonly string[]): void {
  command.addHelpText('after', `\nExamples:\n${examples.map((line) => `  admin ${line}`).join('\n')}`);
}

/** A positive integer. @throws InvalidArgumentError */
export function toId(text: string): number {
  if (!/^[1-9]\d{0,15}$/.test(text))
    throw new InvalidArgumentError(`${text} is no id, a positive whole number.`);
  return Number(text);
}

/** An integer from 0. @throws InvalidArgumentError */
export function toNumber(text: string): number {
  if (!/^\d{1,15}$/.test(text)) throw new InvalidArgumentError('It must be a whole number.');
  return Number(text);
}

/** `true` or `false`. @throws InvalidArgumentError */
export function toBoolean(text: string): boolean {
  if (text !== 'true' && text !== 'false') throw new InvalidArgumentError('It must be true or false.');
  return text === 'true';
}

/** Null for `none`, else the text. */
export function textOrNone(text: string): string | null {
  return text === 'none' ? null : text;
}

/** Collects `name=value` pairs of a repeated option. @throws InvalidArgumentError */
export function toPairs(text: string, before: unknown): Record<string, string> {
  const at = text.indexOf('=');
  if (at < 1) throw new InvalidArgumentError('It must be name=value.');
  const pairs = typeof before === 'object' && before !== null ? before : {};
  return { ...pairs, [text.slice(0, at)]: text.slice(at + 1) };
}

/** Collects the texts of a repeated option. */
export function toList(text: string, before: unknown): unknown[] {
  const list: unknown[] = Array.isArray(before) ? before : [];
  return [...list, text];
}

/** An option's text; undefined when it was not given. */
export function textOption(options: CommandInput['options'], name: string): string | undefined {
  const value = options[name];
  return typeof value === 'string' ? value : undefined;
}

/** Paging options of lists. */
export const PAGE_OPTIONS: readonly CommandOption[] = [
  ['--after-id <id>', 'only rows after this id: the next page', toNumber],
  ['--limit <n>', 'maximum rows, up to 1000 (default: 100)', toNumber],
];
