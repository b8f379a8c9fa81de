import { isGrpcServiceError } from '@temporalio/client';
import { Type } from 'typebox';
import { WORKER_DEPLOYMENT } from '../../contracts/ids.js';
import type { AuditAction } from '../../domain/audit.js';
import {
  type Builds,
  findBuilds,
  forgetBuild,
  handOverPinned,
  type KnownBuild,
  makeCurrent,
  makeRamping,
  pinnedRuns,
  workersByBuild,
} from '../../temporal/builds.js';
import { GRPC } from '../../temporal/outcomes.js';
import type { App } from '../app.js';
import { type ActingApp, auditedAct } from './audited.js';
import { AdminError, type Given, requestCheck } from './check.js';

type DeployApp = ActingApp & Pick<App, 'temporal'>;

/** Workers without `WORKER_BUILD_ID`, in place of a build. */
const NONE = 'none';

/** A build of the workers, as operators see it. */
interface Build {
  /** `none`: workers without one. */
  build: string;
  state: KnownBuild['state'];
  /** Percentage of new runs that it takes. */
  share: number;
  /** Open runs that end on it; null for workers without a build, which none is bound to. */
  runs: number | null;
  /** Id of such a run. */
  example: string | null;
  /** Workers that asked for tasks of workflows within the last minutes. */
  workers: number;
}

/** Every build that the engine knows, and workers without one while those take runs. */
export async function listBuilds({ temporal }: Pick<App, 'temporal'>): Promise<Build[]> {
  const found = await askEngine(() => findBuilds(temporal));
  const workers = await askEngine(() => workersByBuild(temporal));
  const { known = [], current = null, ramping = null } = found ?? {};
  const shareOf = (build: string | null) => {
    if (ramping !== null && ramping.build === build) return ramping.percent;
    return build === current ? 100 - (ramping?.percent ?? 0) : 0;
  };
  const rows = known.map(async ({ build, state }) => ({
    build,
    state,
    share: shareOf(build),
    ...(await pinnedRuns(temporal, build)),
    workers: workers.get(build) ?? 0,
  }));
  const builds: Build[] = await askEngine(() => Promise.all(rows));
  if (shareOf(null) === 0 && !workers.has(null)) return builds;
  const state = current === null ? 'current' : ramping?.build === null ? 'ramping' : 'inactive';
  const bare = { state, share: shareOf(null), runs: null, example: null } as const;
  return [...builds, { build: NONE, ...bare, workers: workers.get(null) ?? 0 }];
}

const Chosen = { build: Type.String({ minLength: 1, maxLength: 63 }) };
const checkCurrent = requestCheck({
  ...Chosen,
  ignoreMissingQueues: Type.Optional(Type.Boolean()),
});

/** New runs go to this build from now on, and those that are not pinned at their next step. */
export async function setCurrentBuild(
  app: DeployApp,
  request: Given<typeof checkCurrent>,
): Promise<{ current: string; before: string }> {
  const { build, ignoreMissingQueues: ignoreMissingTaskQueues = false } = checkCurrent(request);
  return await changed(app, 'deploy.set-current', { build }, async ({ current, token }) => {
    await makeCurrent(app.temporal, { build: buildOf(build), token, ignoreMissingTaskQueues });
    return { current: build, before: current ?? NONE };
  });
}

const checkRamp = requestCheck({ ...Chosen, percent: Type.Integer({ minimum: 0, maximum: 100 }) });

/** A percentage of new runs goes to this build from now on, the rest to the current one. 0 ends its ramp. */
export async function rampBuild(
  app: DeployApp,
  request: Given<typeof checkRamp>,
): Promise<{ ramping: string; percent: number }> {
  const { build, percent } = checkRamp(request);
  return await changed(app, 'deploy.ramp', { build, percent }, async ({ token }) => {
    const ramped = percent === 0 ? null : buildOf(build);
    await makeRamping(app.temporal, { build: ramped, percent, token });
    return { ramping: build, percent };
  });
}

/** Ends the ramp where there is one, else makes the build current that was so before. */
export async function goBack(app: DeployApp): Promise<{ current: string; before: string }> {
  return await changed(app, 'deploy.back', {}, async ({ current, ramping, known, token }) => {
    if (ramping !== null) {
      await makeRamping(app.temporal, { build: null, percent: 0, token });
      return { current: current ?? NONE, before: ramping.build ?? NONE };
    }
    const [former] = known
      .filter(({ build, wasCurrentAt }) => build !== current && wasCurrentAt !== null)
      .toSorted((one, other) => Number(other.wasCurrentAt) - Number(one.wasCurrentAt));
    if (former === undefined) {
      throw new AdminError(
        'No build was current before: deploy set-current none goes back to workers without one.',
      );
    }
    await makeCurrent(app.temporal, { build: former.build, token });
    return { current: former.build, before: current ?? NONE };
  });
}

const checkHandOver = requestCheck(Chosen);

/** The open runs that would end on a build go to the current one instead, whose code has to replay them. */
export async function handOverRuns(
  app: DeployApp,
  request: Given<typeof checkHandOver>,
): Promise<{ build: string; handedOver: number }> {
  const { build } = checkHandOver(request);
  return await changed(app, 'deploy.hand-over', { build }, async () => ({
    build,
    handedOver: await handOverPinned(app.temporal, build),
  }));
}

/** The end of a build that takes no runs. */
interface CleanedUp {
  build: string;
  done: 'removed' | 'kept';
  /** Why it is kept: the engine's words. */
  reason: string | null;
}

/** Forgets the builds that no run needs and whose workers have ended, since the engine keeps a limited number. */
export async function cleanUpBuilds(app: DeployApp): Promise<CleanedUp[]> {
  return await changed(app, 'deploy.clean-up', {}, async ({ known }) => {
    const done: CleanedUp[] = [];
    for (const { build, state } of known) {
      if (state === 'current' || state === 'ramping') continue;
      const reason = state === 'draining' ? 'runs end on it' : await refusalToDelete(app, build);
      done.push({ build, done: reason === null ? 'removed' : 'kept', reason });
    }
    return done;
  });
}

async function refusalToDelete({ temporal }: DeployApp, build: string): Promise<string | null> {
  try {
    await forgetBuild(temporal, build);
    return null;
  } catch (error) {
    const refusal = refusalOf(error);
    if (refusal === null) throw error;
    return refusal;
  }
}

function buildOf(named: string): string | null {
  return named === NONE ? null : named;
}

type DeployAct = Extract<AuditAction, `deploy.${string}`>;

/** Changes the deployment and records it. @throws AdminError in the engine's words where it refuses */
async function changed<T>(
  app: DeployApp,
  action: DeployAct,
  asked: object,
  change: (found: Builds) => Promise<T>,
): Promise<T> {
  const about = { target: { kind: 'service', id: WORKER_DEPLOYMENT }, accountId: null, asked } as const;
  return await auditedAct(app, action, about, async () =>
    askEngine(async () => {
      const found = await findBuilds(app.temporal);
      if (found === null) {
        throw new AdminError('No worker with WORKER_BUILD_ID has asked for work yet: start those first.');
      }
      return await change(found);
    }),
  );
}

const REFUSALS: ReadonlySet<number> = new Set([GRPC.invalidArgument, GRPC.notFound, GRPC.failedPrecondition]);

async function askEngine<T>(call: () => Promise<T>): Promise<T> {
  try {
    return await call();
  } catch (error) {
    const refusal = refusalOf(error);
    throw refusal === null ? error : new AdminError(refusal);
  }
}

/** The engine's words; null where it did not refuse. */
function refusalOf(error: unknown): string | null {
  if (!isGrpcServiceError(error)) return null;
  if (error.code === GRPC.unimplemented) return 'This Temporal knows no builds of workers: 1.29.1 does.';
  return REFUSALS.has(error.code) ? `Temporal refuses: ${error.details}` : null;
}
