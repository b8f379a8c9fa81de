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
