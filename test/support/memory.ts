import { readdirSync, readFileSync } from 'node:fs';

/** A process's memory in MiB: `VmRSS` is the current one, `VmHWM` the peak; NaN for one that has ended. */
export function memoryMib(pid: number | undefined, name: 'VmRSS' | 'VmHWM'): number {
  const status = orIfEnded(() => readFileSync(`/proc/${pid}/status`, 'utf8'), '');
  return Math.round(Number(new RegExp(`${name}:\\s+(\\d+)`).exec(status)?.[1]) / 1024);
}

/** A process's memory now in MiB, with its part of what it shares (PSS); 0 for one that has ended. */
export function shareMib(pid: number): number {
  const text = orIfEnded(() => readFileSync(`/proc/${pid}/smaps_rollup`, 'utf8'), '');
  return Number(/^Pss:\s+(\d+)/m.exec(text)?.[1] ?? 0) / 1024;
}

/** Processes that this one has started, and theirs. */
export function descendants(pid: number): number[] {
  const children = orIfEnded(() => readdirSync(`/proc/${pid}/task`), []).flatMap((task) => {
    const ids = orIfEnded(() => readFileSync(`/proc/${pid}/task/${task}/children`, 'utf8'), '');
    return ids.trim().split(' ').filter(Boolean).map(Number);
  });
  return children.flatMap((child) => [child, ...descendants(child)]);
}

/** A process or thread may end while it is looked at: its files are gone then. */
function orIfEnded<T>(read: () => T, otherwise: T): T {
  try {
    return read();
  } catch {
    return otherwise;
  }
}
