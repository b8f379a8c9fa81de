import { randomInt } from 'node:crypto';
import test from 'ava';
import { runRandomFaults } from './random-faults.js';
import { seededRandom } from './seeded-random.js';

const SECONDS = 15;

test('random faults under load lose, double and block nothing', async (t) => {
  const seed = Number(process.env.FAULT_SEED ?? randomInt(2 ** 31));
  t.log(`seed ${seed}: run it again with FAULT_SEED=${seed}`);

  const report = await runRandomFaults(t, { seconds: SECONDS, seed, log: () => {} });

  t.log(report.faults.join(', '));
  t.log(report.answers);
  t.deepEqual(report.violations, []);
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
