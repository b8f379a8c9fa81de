import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import type { Session } from '../../src/admin/command.js';
import { createProgram } from '../../src/admin/program.js';

const ADMIN = fileURLToPath(new URL('../../src/main/admin.js', import.meta.url));

/** Output and exit code of the admin program. */
export interface AdminRun {
  code: number | null;
  out: string;
  err: string;
}

/** Runs the admin program as a separate process, with additional settings. */
export async function runAdmin(
  args: readonly string[],
  env: Record<string, string>,
  input = '',
): Promise<AdminRun> {
  const child = start(args, env);
  child.stdin.end(input);
  const [out, err, [code]] = await Promise.all([
    text(child.stdout),
    text(child.stderr),
    once(child, 'close'),
  ]);
  return { code, out, err };
}

/** Runs it with a reader that closes the pipe at once. */
export async function runAdminUnread(
  args: readonly string[],
  env: Record<string, string>,
): Promise<Omit<AdminRun, 'out'>> {
  const child = start(args, env);
  child.stdout.destroy();
  const [err, [code]] = await Promise.all([text(child.stderr), once(child, 'close')]);
  return { code, err };
}

function start(args: readonly string[], env: Record<string, string>) {
  return spawn(process.execPath, [ADMIN, ...args], { env: { ...process.env, ...env } });
}

/**
 * Runs a command in this process, with open engines: a process for each takes seconds. Returns what it printed.
 * @throws what the command throws. Not for several at once: it takes the process's standard input and output.
 */
export async function runAdminHere(session: Session, args: readonly string[], input = ''): Promise<string> {
  const given = Object.getOwnPropertyDescriptor(process, 'stdin');
  const write = process.stdout.write;
  let out = '';
  Object.defineProperty(process, 'stdin', { value: Readable.from([input]), configurable: true });
  process.stdout.write = (text: unknown) => {
    out += String(text);
    return true;
  };
  try {
    await createProgram(session).parseAsync([...args], { from: 'user' });
    return out;
  } finally {
    process.stdout.write = write;
    if (given !== undefined) Object.defineProperty(process, 'stdin', given);
  }
}
