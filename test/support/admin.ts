import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';

const ADMIN = fileURLToPath(new URL('../../src/main/admin.js', import.meta.url));

/** What the administrator's program printed, and how it ended. */
export interface AdminRun {
  code: number | null;
  out: string;
  err: string;
}

/** Runs the administrator's program as a process of its own, with these settings on top of ours. */
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

/** Runs it for a reader that goes before it is told anything. */
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
