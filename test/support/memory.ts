import { readFileSync } from 'node:fs';

/** A process's memory in MiB: `VmRSS` is the current one, `VmHWM` the peak. */
export function memoryMib(pid: number | undefined, name: 'VmRSS' | 'VmHWM'): number {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8');
  return Math.round(Number(new RegExp(`${name}:\\s+(\\d+)`).exec(status)?.[1]) / 1024);
}
