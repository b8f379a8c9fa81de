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

/** The result of a thread's function whose errors matter: between threads an Error loses its code. */
export type Carried<T> =
  | { result: T }
  | { error: { name: string; message: string; code: string | undefined } };

/** Runs a thread's work for {@link landed}. */
export async function carried<T>(work: () => Promise<T>): Promise<Carried<T>> {
  try {
    return { result: await work() };
  } catch (error) {
    if (!(error instanceof Error)) throw error;
    const code = 'code' in error && typeof error.code === 'string' ? error.code : undefined;
    return { error: { name: error.name, message: error.message, code } };
  }
}

/** The result of {@link carried}. @throws an Error with the name, message and code of the thread's */
export function landed<T>(reply: Carried<T>): T {
  if ('result' in reply) return reply.result;
  const { name, message, code } = reply.error;
  throw Object.assign(new Error(message), { name }, code === undefined ? {} : { code });
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
