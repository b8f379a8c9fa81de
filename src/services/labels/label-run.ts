import { LABEL_FAILURES } from '../../contracts/render-labels.js';
import { AppError, notFound, unavailable } from '../../domain/errors.js';
import type { App } from '../app.js';
import { type RunWait, runWorkflow } from '../run-workflow.js';

export type LabelRunApp = Pick<App<'createWaitMs'>, 'temporal' | 'stopping' | 'config'>;

/** For a label that takes longer than its caller waits. */
export const LABEL_UNAVAILABLE = 'The label is not ready. Retry in a few seconds.';

const NO_BROWSER = 'The label cannot be printed: the service has no browser. Its operator must install one.';

const failures: RunWait['failures'] = {
  [LABEL_FAILURES.gone]: () => notFound('label'),
  [LABEL_FAILURES.refused]: (message) => new AppError('carrier_rejected', message),
  [LABEL_FAILURES.noBrowser]: () => unavailable(NO_BROWSER),
};

/**
 * {@link runWorkflow} for label runs. @throws AppError `not_found`, `carrier_rejected`, `service_unavailable`;
 * `late` when the wait ends or the engine is unavailable
 */
export async function runLabels<R>(
  app: LabelRunApp,
  start: () => Promise<{ result(): Promise<R> }>,
  late: RunWait['late'] = (cause) => unavailable(LABEL_UNAVAILABLE, { cause }),
): Promise<R> {
  return await runWorkflow(app, start, { waitMs: app.config.createWaitMs, failures, late });
}
