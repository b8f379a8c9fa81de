import { activityInfo } from '@temporalio/activity';
import type { LostShipment } from '../src/db/queries/creation/restoring.js';
import { stringAt, valueAt } from '../src/lib/json.js';
import { type RestoringApp, restoreUnderWay } from '../src/services/creation/restoring.js';

/**
 * Writes the rows of this activity's creation again, where the database has lost them; true where it had. `call`: the
 * newest to the carrier, or null for none; by default what the run knows.
 */
export async function restoreOwn(
  app: RestoringApp,
  uuid: string,
  call?: LostShipment['call'],
): Promise<boolean> {
  const run = activityInfo().workflowExecution;
  return run !== undefined && (await restoreUnderWay(app, { ...run, uuid }, call));
}

/**
 * A booking's note to its next try: the number of the newest call whose outcome may be unknown, 0 for none, and the time
 * that the answer names, which a caller may have read.
 */
export interface Sent {
  sent: number;
  at?: string;
}

/** {@link Sent} of the try before, which the database may have lost. */
export function sentBefore(): Sent {
  const details: unknown = activityInfo().heartbeatDetails;
  const at = stringAt(details, 'at');
  const known = valueAt(details, 'sent');
  return { sent: typeof known === 'number' ? known : 0, ...(at === undefined ? {} : { at }) };
}
