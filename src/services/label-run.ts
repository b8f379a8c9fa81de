import { LABEL_FAILURES } from '../contracts/render-labels.js';
import { AppError, notFound, unavailable } from '../domain/errors.js';
import type { App } from './app.js';
import { type RunWait, runWorkflow } from './run-workflow.js';

/** What a wait for a run of labels needs. */
export type LabelRunApp = Pick<App<'createWaitMs'>, 'temporal' | 'stopping' | 'config'>;

/** What a caller reads when his label takes longer than he can wait. */
export const LABEL_UNAVAILABLE = 'The label cannot be made now. Ask again shortly.';

const NO_BROWSER =
  'The label cannot be made: the service has no browser to print it with, which its operator must install.';

const failures: RunWait['failures'] = {
  [LABEL_FAILURES.gone]: () => notFound('label'),
  [LABEL_FAILURES.refused]: (message) => new AppError('carrier_rejected', message),
  [LABEL_FAILURES.noBrowser]: () => unavailable(NO_BROWSER),
};

/**
 * {@link runWorkflow} for a run that makes labels.
 * @throws AppError `not_found`, `carrier_rejected`, `service_unavailable`; `late` when the wait is over or the engine away
 */
export async function runLabels<R>(
  app: LabelRunApp,
  start: () => Promise<{ result(): Promise<R> }>,
  late: RunWait['late'] = (cause) => unavailable(LABEL_UNAVAILABLE, { cause }),
): Promise<R> {
  return await runWorkflow(app, start, { waitMs: app.config.createWaitMs, failures, late });
}
