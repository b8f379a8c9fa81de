import { randomInt } from 'node:crypto';
import test from 'ava';
import { seededRandom } from '../seeded-random.js';
import { runCampaign } from './campaign.js';
import { reportOf } from './report.js';

const SECONDS = 15;

test('random faults under load lose, double and block nothing', async (t) => {
  const seed = Number(process.env.FAULT_SEED ?? randomInt(2 ** 31));
  t.log(`seed ${seed}: run it again with FAULT_SEED=${seed}`);

  const campaign = await runCampaign(t, { seconds: SECONDS, seed, log: () => {} });

  // Too short to hit each cell of its table.
  t.log(reportOf(campaign, { minutes: SECONDS / 60, seed }));
  t.deepEqual(campaign.violations, []);
});

test('a seed gives the same choices again', (t) => {
  const choices = (seed: number) => {
    const random = seededRandom(seed);
    return Array.from({ length: 20 }, () => random.below(1000));
  };

  t.deepEqual(choices(7), choices(7));
  t.notDeepEqual(choices(7), choices(8));
  t.true(choices(7).every((one) => one >= 0 && one < 1000));
});
