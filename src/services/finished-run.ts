import type { Client } from '@temporalio/client';
import type { Config } from '../config/config.js';
import { LABEL_FAILURES } from '../contracts/render-labels.js';
import { AppError, notFound, unavailable } from '../domain/errors.js';
import { isEngineTrouble, waitForRun } from '../temporal/outcomes.js';

/** What a wait for a run of labels needs. */
export interface LabelRunDeps {
  temporal: Client;
  config: Pick<Config, 'createWaitMs'>;
  /** Aborted when the process ends: waits for runs end then. */
  stopping?: AbortSignal | undefined;
}

/** What a caller reads when his label takes longer than he can wait. */
export const LABEL_UNAVAILABLE = 'The label cannot be made now. Ask again shortly.';

const NO_BROWSER =
  'The label cannot be made: the service has no browser to print it with, which its operator must install.';

/**
 * Waits for the success of a run that makes labels and gives its result; it goes on by itself when the wait is over.
 * @throws AppError `not_found`, `carrier_rejected`, `service_unavailable`; `late` when the wait is over.
 */
export async function finishedLabelRun<R>(
  { temporal, config, stopping }: LabelRunDeps,
  start: () => Promise<{ result(): Promise<R> }>,
  late: AppError = unavailable(LABEL_UNAVAILABLE),
): Promise<R> {
  try {
    const handle = await temporal.withDeadline(Date.now() + config.createWaitMs, start);
    const outcome = await waitForRun(temporal, handle, { timeoutMs: config.createWaitMs, stopping });
    if (outcome.kind === 'completed') return outcome.result;
    if (outcome.kind === 'failed' && outcome.type === LABEL_FAILURES.gone) throw notFound('label');
    if (outcome.kind === 'failed' && outcome.type === LABEL_FAILURES.refused) {
      throw new AppError('carrier_rejected', outcome.message);
    }
    if (outcome.kind === 'failed' && outcome.type === LABEL_FAILURES.noBrowser) throw unavailable(NO_BROWSER);
  } catch (error) {
    if (!isEngineTrouble(error)) throw error;
    throw unavailable(LABEL_UNAVAILABLE, { cause: error });
  }
  throw late;
}
