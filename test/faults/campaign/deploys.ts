import { setTimeout as delay } from 'node:timers/promises';
import { WORKER_DEPLOYMENT } from '../../../src/contracts/ids.js';
import { setCurrentBuild } from '../../../src/services/admin/deploy.js';
import { TEST_ACTOR } from '../../support/actor.js';
import { eventually } from '../../support/conditions.js';
import type { TestStack } from '../../support/stack.js';
import { BUILDS } from './nodes.js';
import type { Fault } from './scene.js';
import { STEPS } from './under-way.js';

/** For how long new runs go to the next build. */
const FORTH_MS = [500, 2000, 4000];
const DEPLOYED_MS = 60_000;

/** New runs go to the build from now on; asked again while an engine is away. */
export async function deploy({ db, temporal }: TestStack, build: keyof typeof BUILDS): Promise<void> {
  const asked = () =>
    setCurrentBuild({ db, temporal, actor: TEST_ACTOR }, { build }).then(
      () => true,
      () => false,
    );
  await eventually(asked, `${build} to be the current build`, DEPLOYED_MS);
}

/** A deploy of the next build, and the way back, while both builds have work in hand. */
export const deployed: Fault = {
  isKillOrCut: false,
  steps: STEPS,
  async targets(scene, random) {
    if (scene.isDeploying) return [];
    const held = [...(await scene.underWay.atWorkers()).values()];
    const strike = async () => {
      scene.isDeploying = true;
      const forthAndBack = async () => {
        await deploy(scene.stack, 'next');
        await delay(random.pick(FORTH_MS));
        await deploy(scene.stack, 'old');
        scene.isDeploying = false;
      };
      return { healed: forthAndBack() };
    };
    return [{ steps: new Set(held.flatMap((steps) => [...steps])), strike }];
  },
};

/** How many runs began under the next build. */
export async function runsOfNext({ temporal }: TestStack): Promise<number> {
  const { count } = await temporal.workflow.count(
    `TemporalWorkerDeploymentVersion = '${WORKER_DEPLOYMENT}:${BUILDS.next}'`,
  );
  return count;
}
