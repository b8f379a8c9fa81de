import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { Slots } from '../../src/lib/limits/slots.js';
import { runAdmin as run } from '../../src/main/run-admin.js';

const ADMIN = fileURLToPath(new URL('../../src/main/admin.js', import.meta.url));
/** A command takes the input, the output and the exit code of its process. */
const oneAtATime = new Slots({ total: 1 });

/** Output and exit code of the admin program. */
export interface AdminRun {
  code: number | null;
  out: string;
  err: string;
}

/** Runs the admin program in this process, with additional settings: a process for each command takes a second. */
export function runAdmin(
  args: readonly string[],
  env: Record<string, string>,
  input = '',
): Promise<AdminRun> {
  return oneAtATime.use(async () => {
    const { stdout, stderr, exitCode } = process;
    const given = Object.getOwnPropertyDescriptor(process, 'stdin');
    const writes = { out: stdout.write, err: stderr.write };
    const written = { out: '', err: '' };
    const keep = (name: 'out' | 'err') => (part: unknown) => {
      written[name] += String(part);
      return true;
    };
    Object.defineProperty(process, 'stdin', { value: Readable.from([input]), configurable: true });
    stdout.write = keep('out');
    stderr.write = keep('err');
    process.exitCode = undefined;
    try {
      return { code: await run(args, { ...process.env, ...env }), ...written };
    } finally {
      process.exitCode = exitCode;
      stdout.write = writes.out;
      stderr.write = writes.err;
      if (given !== undefined) Object.defineProperty(process, 'stdin', given);
    }
  });
}

/** Runs it as a process whose reader closes the pipe at once. */
export async function runAdminUnread(
  args: readonly string[],
  env: Record<string, string>,
): Promise<Omit<AdminRun, 'out'>> {
  const child = spawn(process.execPath, [ADMIN, ...args], { env: { ...process.env, ...env } });
  child.stdout.destroy();
  const [err, [code]] = await Promise.all([text(child.stderr), once(child, 'close')]);
  return { code, err };
}
