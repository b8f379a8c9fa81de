import type { ResourceLimits } from 'node:worker_threads';
import type { Piscina } from 'piscina';

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
export interface Threads<Job, Reply> {
  /** `signal` ends the thread. @throws Error of the work, or of a thread that failed */
  run(job: Job, options?: Parameters<Piscina<Job, Reply>['run']>[1]): Promise<Reply>;
}

/** Threads for one kind of work. */
export function createThreads<Job, Reply>(work: ThreadWork): Threads<Job, Reply> {
  let pool: Promise<Piscina<Job, Reply>> | undefined;
  return {
    async run(job, options) {
      pool ??= openPool(work);
      return await (await pool).run(job, options);
    },
  };
}

/** When it is first needed: many processes, such as the administrator's program, never have work for a thread. */
async function openPool<Job, Reply>({ file, name, heap, most, keptMs = 0 }: ThreadWork) {
  const { Piscina } = await import('piscina');
  const pool = new Piscina<Job, Reply>({
    filename: file.href,
    name,
    resourceLimits: heap,
    execArgv: [],
    minThreads: 0,
    maxThreads: most,
    idleTimeout: keptMs,
  });
  // Of a thread without work: its trouble would end the process.
  pool.on('error', () => undefined);
  return pool;
}
