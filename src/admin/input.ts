import { readFileSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { Writable } from 'node:stream';
import { type AppError, validationError } from '../domain/errors.js';
import { quoted } from '../domain/problems/problem.js';
import { AdminError } from '../services/admin/check.js';

/** The error of an option, in words that no other program has; `rule` follows its name. */
export function optionError(option: string, rule: string): AppError {
  return validationError({ [option]: [quoted(`${option} ${rule}`)] });
}

/** Parses a JSON object. @throws Error that quotes none of the text */
export function objectIn(text: string): Record<string, unknown> {
  const value = parsed(text);
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw new AdminError('It is not a JSON object.');
  }
  return { ...value };
}

/**
 * Reads the JSON object in a file, or in standard input for `-`. @throws AppError `validation_failed` for the
 * field
 */
export async function readObject(field: string, path: string): Promise<Record<string, unknown>> {
  let text: string;
  try {
    text = path === '-' ? (await readLines()).join('\n') : readFileSync(path, 'utf8');
  } catch {
    throw optionError(field, `must name a file that can be read; ${path} cannot`);
  }
  try {
    return objectIn(text);
  } catch {
    throw optionError(field, `must be a JSON object; ${path === '-' ? 'standard input' : path} holds none`);
  }
}

/**
 * Reads one secret per name: hidden at a terminal, else from lines of standard input in order. @throws AppError
 * `validation_failed` for the first missing one
 */
export async function readSecrets(names: readonly string[]): Promise<Record<string, string>> {
  const values = process.stdin.isTTY ? await askUnseen(names) : await readLines();
  return Object.fromEntries(
    names.map((name, index) => {
      const value = values[index] ?? '';
      if (value === '')
        throw optionError(name, 'is missing: standard input must hold a line for each secret');
      return [name, value];
    }),
  );
}

async function readLines(): Promise<string[]> {
  const lines: string[] = [];
  for await (const line of createInterface({ input: process.stdin, crlfDelay: Infinity })) lines.push(line);
  return lines;
}

async function askUnseen(names: readonly string[]): Promise<string[]> {
  const nowhere = new Writable({ write: (_chunk, _encoding, done) => done() });
  const terminal = createInterface({ input: process.stdin, output: nowhere, terminal: true });
  try {
    const values: string[] = [];
    for (const name of names) {
      process.stderr.write(`${name}: `);
      values.push(await new Promise<string>((resolve) => terminal.question('', resolve)));
      process.stderr.write('\n');
    }
    return values;
  } finally {
    terminal.close();
  }
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
