import type { WakeTarget } from '../src/contracts/wake.js';
import { listOverdue } from '../src/db/queries/leased-queue.js';
import { LIMITS } from '../src/lib/limits/values.js';
import type { App } from '../src/services/app.js';

/** Wakes every workflow with overdue work; returns the number. */
export function createWakeOverdueActivity({ db, wake }: Pick<App, 'db' | 'wake'>) {
  return async function wakeOverdue(): Promise<number> {
    const { webhooks, mails, inbound } = await listOverdue(db, {
      olderThanSeconds: LIMITS.webhooks.overdueSeconds,
      limit: LIMITS.database.rows,
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
