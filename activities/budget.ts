import { cancellationSignal, heartbeat } from '@temporalio/activity';

/** Deletes page by page until nothing is left, time is up or the process stops. Returns the number deleted. */
export async function inBudget(deletePage: () => Promise<number>, budgetMs: number): Promise<number> {
  const until = Date.now() + budgetMs;
  let total = 0;
  let deleted: number;
  do {
    deleted = await deletePage();
    total += deleted;
    heartbeat(total);
  } while (deleted > 0 && Date.now() < until && !cancellationSignal().aborted);
  return total;
}

/**
 * Works on each item until the process stops, and returns the sum. A failure does not stop the others. @throws the
 * first error, at the end
 */
export async function sumOf<T>(items: Iterable<T>, work: (item: T) => Promise<number>): Promise<number> {
  let sum = 0;
  const troubles: unknown[] = [];
  for (const item of items) {
    if (cancellationSignal().aborted) break;
    heartbeat(sum);
    try {
      sum += await work(item);
    } catch (error) {
      troubles.push(error);
    }
  }
  if (troubles.length > 0) throw troubles[0];
  return sum;
}
