import { HOLE, type Source } from './sql-texts.js';

/** Columns of each table, by the names that SQL has for them. */
export type Schema = ReadonlyMap<string, ReadonlySet<string>>;

interface Token {
  readonly word: string;
  readonly kind: 'name' | 'keyword' | 'hole' | 'other';
  /** Is a table, an alias or a new name, and so no column. */
  declares: boolean;
}

/** Meanings of names in a statement, a file, or a file with those it imports and that import it. */
interface Scope {
  readonly aliases: Map<string, Set<string>>;
  readonly tables: Set<string>;
  /** Names that a SELECT gives its columns. */
  readonly given: Set<string>;
}

interface Statement extends Scope {
  readonly tokens: readonly Token[];
  readonly text: string;
  readonly line: number;
}

/** The alias of something that has no description: a derived table, or one whose name is an expression. */
const DERIVED = '(derived)';
const TOKEN = /'(?:[^'\\]|\\.|'')*'|`[^`]+`|\uE000|[A-Za-z_]\w*|\d+(?:\.\d+)?|\S/g;
const IS_SQL = new RegExp(
  [
    String.raw`\b(?:SELECT|FROM|WHERE|JOIN|UPDATE|INSERT|DELETE|SET|VALUES|BY|AND|OR|IS|IN|CASE|LIMIT|EXISTS|LIKE|BETWEEN)\b`,
    // A function, a comparison, a list of columns, a qualified column, a table with its alias.
    String.raw`\b[A-Z][A-Z_]+\(`,
    String.raw`^[\w.]+ (?:=|<|>|<=|>=|<>) `,
    String.raw`[a-z]_[a-z]+, [a-z]+`,
    String.raw`^[a-z]{1,7}\.[a-z_]+$`,
  ].join('|'),
);
const OPENS = new Set(['FROM', 'JOIN', 'STRAIGHT_JOIN', 'INTO']);

/**
 * Proves the names in the SQL of source files against the descriptions of the tables. Keywords and functions are in
 * capitals, so that every other word is a table, an alias or a column.
 */
export class NameCheck {
  readonly #schema: Schema;
  readonly #variables: ReadonlyMap<string, string>;
  readonly #statements = new Map<string, Statement[]>();
  readonly #scopes = new Map<string, Scope>();
  readonly #sources: readonly Source[];
  /** Names that are columns of their tables. */
  proven = 0;

  /** `variables`: the table of each description's variable. */
  constructor(schema: Schema, variables: ReadonlyMap<string, string>, sources: readonly Source[]) {
    this.#schema = schema;
    this.#variables = variables;
    this.#sources = sources;
    for (const source of sources) {
      const statements = source.texts
        .filter(({ text }) => IS_SQL.test(text) || schema.has(text.split(' ')[0] ?? ''))
        .map(({ text, line }) => this.#statement(text, line));
      this.#statements.set(source.path, statements);
      this.#scopes.set(source.path, this.#scopeOf(source, statements));
    }
  }

  /** One line for each name that is no column of the tables that it can be of. */
  problems(): string[] {
    return this.#sources.flatMap((source) => {
      const own = this.#scopes.get(source.path);
      const around = this.#around(source);
      return (this.#statements.get(source.path) ?? []).flatMap((statement) => {
        const scopes = own === undefined ? [statement] : [statement, own, around];
        return [...this.#wrong(statement, scopes)].map(
          (name) => `${source.path}:${statement.line} ${name} in: ${shown(statement.text)}`,
        );
      });
    });
  }

  #statement(text: string, line: number): Statement {
    const statement = { text, line, tokens: tokensOf(text), ...emptyScope() };
    const [first] = statement.tokens;
    if (first?.kind === 'name' && this.#schema.has(first.word)) declareTable(statement, 0);
    for (const index of statement.tokens.keys()) declare(statement, index);
    return statement;
  }

  #scopeOf({ aliases, names, shapes }: Source, statements: readonly Statement[]): Scope {
    const scope = mergedScope(statements);
    const columns = [...this.#schema.values()];
    // A name that is also a column is checked as one.
    for (const key of shapes) if (!columns.some((names) => names.has(key))) scope.given.add(key);
    for (const [alias, variable] of aliases) addAlias(scope, alias, this.#variables.get(variable) ?? DERIVED);
    for (const name of names) {
      const table = this.#variables.get(name);
      if (table !== undefined) scope.tables.add(table);
    }
    return scope;
  }

  /** Parts of a statement may stand in a file that is imported, or get their aliases from one that imports them. */
  #around({ path, imports }: Source): Scope {
    const near = this.#sources.filter(
      (other) => imports.includes(other.path) || other.imports.includes(path),
    );
    return { ...mergedScope(near.flatMap((other) => this.#scopes.get(other.path) ?? [])), given: new Set() };
  }

  *#wrong({ tokens }: Statement, scopes: readonly Scope[]): Generator<string> {
    for (const [index, token] of tokens.entries()) {
      const [before, after, column] = [tokens[index - 1], tokens[index + 1], tokens[index + 2]];
      if (token.kind !== 'name' || token.declares || before?.word === '.') continue;
      const isQualified = after?.word === '.' && column !== undefined;
      if (isQualified && column.kind !== 'name') continue;
      const isColumn = isQualified
        ? this.#isOf(token.word, column.word, scopes)
        : this.#isBare(token.word, scopes);
      if (isColumn) this.proven += 1;
      else yield isQualified ? `${token.word}.${column.word}` : token.word;
    }
  }

  #isOf(alias: string, column: string, scopes: readonly Scope[]): boolean {
    const meant = scopes.map(({ aliases }) => aliases.get(alias)).find((tables) => tables !== undefined);
    if (meant === undefined) return this.#schema.get(alias)?.has(column) === true;
    if (meant.has(DERIVED)) return this.#isOfDerived(column, scopes);
    return [...meant].every((table) => this.#schema.get(table)?.has(column) === true);
  }

  #isOfDerived(column: string, scopes: readonly Scope[]): boolean {
    return scopes.some((scope) => scope.given.has(column) || this.#isIn(scope, column));
  }

  /** A statement that names tables has its columns from these; a part of one has them from its file's. */
  #isBare(name: string, scopes: readonly Scope[]): boolean {
    if (scopes.some(({ given, aliases }) => given.has(name) || aliases.has(name))) return true;
    const nearest = scopes.find(({ tables }) => tables.size > 0);
    return nearest !== undefined && this.#isIn(nearest, name);
  }

  #isIn({ tables }: Scope, column: string): boolean {
    return [...tables].some((table) => this.#schema.get(table)?.has(column));
  }
}

function tokensOf(text: string): Token[] {
  return Array.from(text.matchAll(TOKEN), ([found]) => {
    const isQuoted = found.startsWith('`');
    const word = isQuoted ? found.slice(1, -1) : found;
    const kind =
      word === HOLE || word.includes(HOLE)
        ? 'hole'
        : isQuoted || /^[a-z]/.test(word)
          ? 'name'
          : /^[A-Z_]/.test(word)
            ? 'keyword'
            : 'other';
    return { word, kind, declares: false };
  });
}

/** Marks the tables, aliases and new names that begin at a token. */
function declare(statement: Statement, index: number): void {
  const { tokens, given } = statement;
  const [before, token, next] = [tokens[index - 1], tokens[index], tokens[index + 1]];
  if (token === undefined) return;
  const isUpdate = token.word === 'UPDATE' && before?.word !== 'FOR' && before?.word !== 'KEY';
  if (OPENS.has(token.word) || isUpdate) declareTable(statement, next?.word === '(' ? index + 2 : index + 1);
  if (token.word === ')') declareAlias(statement, index + 1, DERIVED);
  if (token.word === 'AS' && next?.kind === 'name') {
    given.add(next.word);
    declareAlias(statement, index, DERIVED);
  }
  const isCommonTable = next?.word === 'AS' && tokens[index + 2]?.word === '(';
  if (token.kind === 'name' && isCommonTable) declareAlias(statement, index, DERIVED);
  if (token.word === 'COLLATE' || (before?.word === 'CHARACTER' && token.word === 'SET')) mark(next);
  // The name of a key; the alias of what is deleted.
  if ((token.word === '(' && before?.word === 'INDEX') || token.word === 'DELETE') mark(next);
}

function declareTable(statement: Statement, index: number): void {
  const table = statement.tokens[index];
  if (table === undefined || statement.tokens[index + 1]?.word === '.') return;
  if (table.kind === 'name') {
    table.declares = true;
    statement.tables.add(table.word);
    addAlias(statement, table.word, table.word);
  }
  if (table.kind === 'name' || table.kind === 'hole')
    declareAlias(statement, index + 1, table.kind === 'name' ? table.word : DERIVED);
}

function declareAlias(statement: Statement, index: number, table: string): void {
  const { tokens } = statement;
  const at = tokens[index]?.word === 'AS' ? index + 1 : index;
  const alias = tokens[at];
  if (alias?.kind !== 'name' || tokens[at + 1]?.word === '.') return;
  alias.declares = true;
  addAlias(statement, alias.word, table);
}

function mark(token: Token | undefined): void {
  if (token !== undefined) token.declares = true;
}

function addAlias({ aliases }: Scope, alias: string, table: string): void {
  aliases.set(alias, (aliases.get(alias) ?? new Set()).add(table));
}

function emptyScope(): Scope {
  return { aliases: new Map(), tables: new Set(), given: new Set() };
}

function mergedScope(scopes: readonly Scope[]): Scope {
  const merged = emptyScope();
  for (const { aliases, tables, given } of scopes) {
    for (const [alias, meant] of aliases) for (const table of meant) addAlias(merged, alias, table);
    for (const table of tables) merged.tables.add(table);
    for (const name of given) merged.given.add(name);
  }
  return merged;
}

function shown(text: string): string {
  return text.replaceAll(HOLE, '${…}').replaceAll(/\s+/g, ' ').trim().slice(0, 100);
}
