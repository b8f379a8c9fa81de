import { cancellationSignal, heartbeat } from '@temporalio/activity';

/**
 * Deletes page by page until nothing is left, the time is over or the process is to end, and returns how many; the next run
 * goes on.
 */
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
