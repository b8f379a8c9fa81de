import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { isAlive } from '../../src/lib/is-alive.js';
import { SetupError } from './progress.js';

/** What is taken by processes of this machine that have not listened yet: a file a port, with the taker's process id. */
const CLAIMS = join(tmpdir(), 'parcelworks-ports');
const claimed = new Set<string>();

process.once('exit', () => {
  for (const file of claimed) rmSync(file, { force: true });
});

/**
 * The first port from `wanted` on that is free on loopback and was handed out to nobody, in this process or in another
 * one: two checkouts that start at once would both be told of it, and one would take the other's engine for its own.
 * To be asked for below 32768: above it systems choose the ports of outgoing connections.
 */
export async function freePort(wanted: number): Promise<number> {
  mkdirSync(CLAIMS, { recursive: true });
  for (let port = wanted; port < wanted + 500 && port < 65_536; port += 1) {
    if (claim(port) && (await isFree(port))) return port;
  }
  throw new SetupError(`no free port from ${wanted} on`);
}

/** Takes the port for as long as this process lives, listening or not. */
function claim(port: number): boolean {
  const file = join(CLAIMS, String(port));
  if (claimed.has(file) || isHeld(file)) return false;
  rmSync(file, { force: true });
  try {
    writeFileSync(file, String(process.pid), { flag: 'wx' });
  } catch {
    // Somebody was quicker.
    return false;
  }
  claimed.add(file);
  return true;
}

function isHeld(file: string): boolean {
  try {
    return isAlive(Number(readFileSync(file, 'utf8')));
  } catch {
    // Nobody's.
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
