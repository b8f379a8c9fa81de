import { readdirSync, readFileSync, readlinkSync } from 'node:fs';

/** Processes of which the processor time is wanted, by the name that the report gives them. */
export type Watched = Record<string, number>;

/** Linux counts a process's time in hundredths of a second. */
const TICK_MS = 10;

/** Processor time of each in ms, user and system together, since it began. Linux only. */
export function cpuMs(watched: Watched): Record<string, number> {
  return Object.fromEntries(Object.entries(watched).map(([name, pid]) => [name, ticksOf(pid) * TICK_MS]));
}

/** The process and its children, such as the servers of connections to PostgreSQL. */
export function familyOf(pid: number): number[] {
  const children = readdirSync('/proc').filter((name) => /^\d+$/.test(name) && parentOf(name) === pid);
  return [pid, ...children.map(Number)];
}

/** The process that listens on this port of loopback. */
export function listenerOn(port: number): number {
  const hex = port.toString(16).toUpperCase().padStart(4, '0');
  const line = ['tcp', 'tcp6']
    .flatMap((family) => readFileSync(`/proc/net/${family}`, 'utf8').split('\n'))
    .map((row) => row.trim().split(/\s+/))
    .find(([, local, , state]) => local?.endsWith(`:${hex}`) === true && state === '0A');
  const socket = `socket:[${line?.[9]}]`;
  const pid = readdirSync('/proc').find((name) => /^\d+$/.test(name) && holds(name, socket));
  if (pid === undefined) throw new Error(`nothing listens on ${port}`);
  return Number(pid);
}

function holds(pid: string, socket: string): boolean {
  try {
    return readdirSync(`/proc/${pid}/fd`).some((fd) => linkOf(`/proc/${pid}/fd/${fd}`) === socket);
  } catch {
    return false;
  }
}

/** Null for a process that has ended meanwhile. */
function parentOf(pid: string): number | null {
  try {
    return Number(fieldsOf(pid)[1]);
  } catch {
    return null;
  }
}

/** Null for a file that is closed meanwhile. */
function linkOf(path: string): string | null {
  try {
    return readlinkSync(path);
  } catch {
    return null;
  }
}

function ticksOf(pid: number): number {
  const fields = fieldsOf(String(pid));
  return Number(fields[11]) + Number(fields[12]);
}

/** From the process's state on. */
function fieldsOf(pid: string): string[] {
  const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
  // The name in brackets may hold spaces.
  return stat.slice(stat.lastIndexOf(')') + 2).split(' ');
}
