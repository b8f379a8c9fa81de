import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { isAlive } from '../../src/lib/is-alive.js';
import { SetupError } from './progress.js';

/** Ports reserved by processes of this machine: one file per port with the process id. */
const CLAIMS = join(tmpdir(), 'parcelworks-ports');
const claimed = new Set<string>();

process.once('exit', () => {
  for (const file of claimed) rmSync(file, { force: true });
});

/**
 * The first free loopback port from `wanted` on, reserved across processes: two checkouts that start together
 * must not share an engine. Use ports below 32768; systems use higher ones for outgoing connections.
 */
export async function freePort(wanted: number): Promise<number> {
  mkdirSync(CLAIMS, { recursive: true });
  for (let port = wanted; port < wanted + 500 && port < 65_536; port += 1) {
    if (claim(port) && (await isFree(port))) return port;
  }
  throw new SetupError(`no free port from ${wanted} on`);
}

/** Reserves the port for this process's lifetime. */
function claim(port: number): boolean {
  const file = join(CLAIMS, String(port));
  if (claimed.has(file) || isHeld(file)) return false;
  rmSync(file, { force: true });
  try {
    writeFileSync(file, String(process.pid), { flag: 'wx' });
  } catch {
    // Another process was faster.
    return false;
  }
  claimed.add(file);
  return true;
}

function isHeld(file: string): boolean {
  try {
    return isAlive(Number(readFileSync(file, 'utf8')));
  } catch {
    // No such claim.
    return false;
  }
}

function isFree(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const server = createServer();
    server.once('error', () => resolve(false));
    server.listen({ port, host: '127.0.0.1', exclusive: true }, () => server.close(() => resolve(true)));
  });
}
