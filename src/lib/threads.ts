import type { ResourceLimits } from 'node:worker_threads';
import type { Piscina } from 'piscina';

/** A thread's function and limits. */
interface ThreadWork {
  /** The compiled file that exports the function. */
  file: URL;
  name: string;
  /** A thread above this heap fails. Buffers do not count. */
  heap: ResourceLimits;
  /** Maximum threads; more work waits. */
  most: number;
  /** How long an idle thread is kept. */
  keptMs?: number;
}

/** Threads that start for work and end when idle, freeing their memory. */
interface Threads<Job, Reply> {
  /** `signal` terminates the thread. @throws the work's error, or an Error for a failed thread */
  run(job: Job, options?: Parameters<Piscina<Job, Reply>['run']>[1]): Promise<Reply>;
}

export function createThreads<Job, Reply>(work: ThreadWork): Threads<Job, Reply> {
  let pool: Promise<Piscina<Job, Reply>> | undefined;
  return {
    async run(job, options) {
      pool ??= openPool(work);
      return await (await pool).run(job, options);
    },
  };
}

/** Imported on first use: many processes, such as the admin program, need no threads. */
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
  // An idle thread's error must not end the process.
  pool.on('error', () => undefined);
  return pool;
}
