import { readFileSync } from 'node:fs';

/** A figure of a process in MiB: `VmRSS` is its memory now, `VmHWM` the highest so far. */
export function memoryMib(pid: number | undefined, name: 'VmRSS' | 'VmHWM'): number {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8');
  return Math.round(Number(new RegExp(`${name}:\\s+(\\d+)`).exec(status)?.[1]) / 1024);
}
