import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { parseSync, Visitor } from 'oxc-parser';
import { projectFolder } from '../../tools/launcher/paths.js';

/** Stands in a text for an expression of the template. */
export const HOLE = '\uE000';

/** A literal or template of a source file. */
interface SourceText {
  readonly text: string;
  readonly line: number;
}

/** The parts of a source file that tell which tables its statements are about. */
export interface Source {
  readonly path: string;
  readonly texts: readonly SourceText[];
  /** Aliases by `description.as('alias')`, with the description's variable. */
  readonly aliases: readonly (readonly [alias: string, variable: string])[];
  /** Keys of shapes, which a statement may order by. */
  readonly shapes: ReadonlySet<string>;
  /** Texts that are types: the compiler compares them. */
  readonly types: ReadonlySet<string>;
  /** Imported names. */
  readonly names: ReadonlySet<string>;
  /** Paths of imported files of the project. */
  readonly imports: readonly string[];
}

/** The TypeScript files of a folder or a file, from the project's folder on. */
export function sourcePaths(path: string): string[] {
  if (path.endsWith('.ts')) return [path];
  return readdirSync(join(projectFolder, path), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.ts'))
    .map((name) => join(path, name))
    .sort();
}

export function readSource(path: string): Source {
  return parseSource(path, readFileSync(join(projectFolder, path), 'utf8'));
}

/** Leaves out what becomes no statement: imports, types, and the words of errors. */
export function parseSource(path: string, code: string): Source {
  const texts: SourceText[] = [];
  const aliases: [string, string][] = [];
  const shapes = new Set<string>();
  const types = new Set<string>();
  const names = new Set<string>();
  const imports: string[] = [];
  let silent = 0;
  const add = (text: string, start: number) => {
    if (silent === 0) texts.push({ text, line: code.slice(0, start).split('\n').length });
  };
  new Visitor({
    NewExpression: ({ callee }) => {
      if (callee.type === 'Identifier' && callee.name.endsWith('Error')) silent += 1;
    },
    'NewExpression:exit': ({ callee }) => {
      if (callee.type === 'Identifier' && callee.name.endsWith('Error')) silent -= 1;
    },
    TSLiteralType: ({ literal }) => {
      if (literal.type === 'Literal' && typeof literal.value === 'string') types.add(literal.value);
      silent += 1;
    },
    'TSLiteralType:exit': () => {
      silent -= 1;
    },
    ImportDeclaration: ({ source, specifiers }) => {
      for (const { local } of specifiers) names.add(local.name);
      if (source.value.startsWith('.'))
        imports.push(join(dirname(path), source.value).replace(/\.js$/, '.ts'));
    },
    CallExpression: ({ callee, arguments: [first] }) => {
      if (callee.type === 'Identifier' && callee.name === 'shape' && first?.type === 'ObjectExpression') {
        for (const one of first.properties)
          if (one.type === 'Property' && one.key.type === 'Identifier') shapes.add(one.key.name);
      }
      if (callee.type !== 'MemberExpression' || callee.object.type !== 'Identifier') return;
      if (callee.property.type !== 'Identifier' || callee.property.name !== 'as') return;
      if (first?.type === 'Literal' && typeof first.value === 'string')
        aliases.push([first.value, callee.object.name]);
    },
    TemplateLiteral: ({ quasis, start }) => {
      add(quasis.map(({ value }) => value.cooked ?? '').join(HOLE), start);
    },
    Literal: ({ value, start }) => {
      if (typeof value === 'string') add(value, start);
    },
  }).visit(parseSync(path, code).program);
  return { path, texts, aliases, shapes, types, names, imports };
}
