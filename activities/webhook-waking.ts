import type { WakeTarget } from '../src/contracts/wake.js';
import { listOverdue } from '../src/db/queries/leased-queue.js';
import type { App } from '../src/services/app.js';

/** A round looks more often than this: what is overdue for longer was not woken, or its run was ended from outside. */
const OVERDUE_SECONDS = 20;
const LIMIT = 1000;

/** Wakes every workflow that delivers or applies and has had something due for too long; gives how many. */
export function createWakeOverdueActivity({ db, wake }: Pick<App, 'db' | 'wake'>) {
  return async function wakeOverdue(): Promise<number> {
    const { webhooks, mails, inbound } = await listOverdue(db, {
      olderThanSeconds: OVERDUE_SECONDS,
      limit: LIMIT,
    });
    const targets: WakeTarget[] = [
      ...webhooks.map((webhook) => ({ kind: 'webhook' as const, ...webhook })),
      ...mails.map((licenseId) => ({ kind: 'mail' as const, licenseId })),
      ...inbound.map((licenseId) => ({ kind: 'inbound' as const, licenseId })),
    ];
    wake(targets);
    return targets.length;
  };
}
