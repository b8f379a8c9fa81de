import { setTimeout as delay } from 'node:timers/promises';
import {
  LABEL_FAILURES,
  type RenderLabelsInput,
  type RenderLabelsResult,
} from '../../contracts/render-labels.js';
import { PLACES } from '../../documents/labels/html.js';
import { AppError, notFound, unavailable } from '../../domain/errors.js';
import { quoted } from '../../domain/problems/problem.js';
import { inTime } from '../../lib/in-time.js';
import { LIMITS } from '../../lib/limits/values.js';
import { startRenderLabels, startRenderLabelsTogether } from '../../temporal/starters.js';
import type { App } from '../app.js';
import { runWorkflow } from '../run-workflow.js';

const RUN_MS = 2000;

type LabelRunApp = Pick<App<'createWaitMs'>, 'temporal' | 'stopping' | 'config'>;

/** For a label that takes longer than its caller waits. */
export const LABEL_UNAVAILABLE = 'The label is not ready. Retry in a few seconds.';

const NO_BROWSER = 'The label cannot be printed: the service has no browser. Its operator must install one.';

const failures = {
  [LABEL_FAILURES.gone]: () => notFound('label'),
  [LABEL_FAILURES.refused]: (message: string) => new AppError('carrier_rejected', quoted(message)),
  [LABEL_FAILURES.noBrowser]: () => unavailable(NO_BROWSER),
};

/**
 * {@link runWorkflow} for label runs. @throws AppError `not_found`, `carrier_rejected`, `service_unavailable`;
 * `late` when the wait ends or the engine is unavailable
 */
export async function runLabels<R>(
  app: LabelRunApp,
  start: () => Promise<{ result(): Promise<R> }>,
  late = (cause?: unknown): AppError => unavailable(LABEL_UNAVAILABLE, { cause }),
): Promise<R> {
  return await runWorkflow(app, start, { waitMs: app.config.createWaitMs, failures, late });
}

interface Waiting {
  input: RenderLabelsInput;
  done(result: Promise<RenderLabelsResult>): void;
}

/** An account's single labels. */
interface Line {
  isBusy: boolean;
  waiting: Waiting[];
  /** By content hash: equal requests share the result. */
  open: Map<string, Promise<RenderLabelsResult>>;
}

/**
 * Prints by runs. A run costs the engine more than one label, so an account has one run at a time for single
 * labels; the next run takes all that wait. @throws AppError `not_found`, `service_unavailable`
 */
export function createLabelPrinting(
  app: LabelRunApp,
): (input: RenderLabelsInput) => Promise<RenderLabelsResult> {
  const lines = new Map<number, Line>();

  // The work continues after the wait: a retry finds it done.
  const waited = <T>(work: Promise<T>) =>
    inTime(app.config.createWaitMs, work, () => unavailable(LABEL_UNAVAILABLE));
  const alone = (input: RenderLabelsInput) => runLabels(app, () => startRenderLabels(app.temporal, input));
  const together = async (accountId: number, batch: readonly Waiting[]): Promise<void> => {
    const inputs = batch.map(({ input }) => input);
    const printed = runLabels(app, () => startRenderLabelsTogether(app.temporal, accountId, inputs));
    for (const [index, { input, done }] of batch.entries()) {
      done(printed.then((results) => results[index] ?? alone(input)));
    }
    await printed.catch(() => undefined);
  };
  const proceed = (accountId: number, line: Line): void => {
    if (line.isBusy) return;
    const batch = line.waiting.splice(0, PLACES);
    if (batch.length === 0) {
      lines.delete(accountId);
      return;
    }
    line.isBusy = true;
    const long = delay(RUN_MS, undefined, { ref: false });
    void Promise.race([run(accountId, batch), long]).finally(() => {
      line.isBusy = false;
      proceed(accountId, line);
    });
  };
  const run = async (accountId: number, batch: readonly Waiting[]): Promise<void> => {
    const [only, ...others] = batch;
    if (only === undefined) return;
    if (others.length > 0) return await together(accountId, batch);
    const result = alone(only.input);
    only.done(result);
    await result.catch(() => undefined);
  };
  return async (input) => {
    const { accountId, contentHash, labels, shipmentUuid } = input;
    if (shipmentUuid === null || labels > LIMITS.labels.few) return await alone(input);
    const line: Line = lines.get(accountId) ?? { isBusy: false, waiting: [], open: new Map() };
    lines.set(accountId, line);
    const known = line.open.get(contentHash);
    if (known !== undefined) return await waited(known);
    const printed = new Promise<RenderLabelsResult>((done) => line.waiting.push({ input, done }));
    line.open.set(contentHash, printed);
    const forget = () => line.open.delete(contentHash);
    printed.then(forget, forget);
    proceed(accountId, line);
    return await waited(printed);
  };
}
