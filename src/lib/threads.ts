import type { ResourceLimits } from 'node:worker_threads';
import { Piscina } from 'piscina';

/** What a thread runs, and with how much. */
export interface ThreadWork {
  /** The compiled file. */
  file: URL;
  /** The function that it exports. */
  name: string;
  /** A thread that needs more fails. Memory of buffers is not bounded by it. */
  heap: ResourceLimits;
  /** Threads at the same time; further work waits. */
  most: number;
  /** How long a thread is kept for further work. */
  keptMs?: number;
}

/** Threads that start when there is work, and end with their memory when there is none. */
export function createThreads<Job, Reply>(work: ThreadWork): Piscina<Job, Reply> {
  const { file, name, heap, most, keptMs = 0 } = work;
  const threads = new Piscina<Job, Reply>({
    filename: file.href,
    name,
    resourceLimits: heap,
    execArgv: [],
    minThreads: 0,
    maxThreads: most,
    idleTimeout: keptMs,
  });
  // Of a thread without work: its trouble would end the process.
  threads.on('error', () => undefined);
  return threads;
}
