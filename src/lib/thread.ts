import { type ResourceLimits, type TransferListItem, Worker } from 'node:worker_threads';

/**
 * Starts a thread whose entry is the compiled `file`. It fails when it needs more heap than `heap`; memory of buffers is not
 * bounded by it.
 */
export function startThread(file: URL, heap: ResourceLimits): Worker {
  const thread = new Worker(file, { resourceLimits: heap, execArgv: [] });
  // One that fails after its answer would end the process.
  thread.on('error', () => undefined);
  return thread;
}

/**
 * Gives the thread a job, and returns its next message. What is in `transfer` moves to the thread.
 * @throws Error when the thread fails, or ends without an answer.
 */
export function askThread<Reply>(
  thread: Worker,
  job: unknown,
  transfer: readonly TransferListItem[] = [],
): Promise<Reply> {
  return new Promise((resolve, reject) => {
    const ended = () => reject(new Error('The thread ended without an answer.'));
    thread.once('error', reject);
    thread.once('exit', ended);
    thread.once('message', (reply: Reply) => {
      thread.off('error', reject);
      thread.off('exit', ended);
      resolve(reply);
    });
    thread.postMessage(job, transfer);
  });
}
