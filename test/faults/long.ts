import { randomInt } from 'node:crypto';
import { parseArgs } from 'node:util';
import { CleanUps } from '../support/clean-ups.js';
import { runRandomFaults } from './random-faults.js';

const { values } = parseArgs({
  options: { minutes: { type: 'string', default: '10' }, seed: { type: 'string' } },
});
const minutes = Number(values.minutes);
const seed = values.seed === undefined ? randomInt(2 ** 31) : Number(values.seed);
if (!(minutes > 0) || !Number.isSafeInteger(seed)) throw new Error('usage: --minutes N --seed N');

const owner = new CleanUps();
const say = (line: string) => process.stdout.write(`${line}\n`);

say(`${minutes} minutes of faults with seed ${seed}`);
try {
  const report = await runRandomFaults(owner, { seconds: minutes * 60, seed, log: say });
  say(`${report.faults.length} faults; ${report.answers}`);
  for (const violation of report.violations) say(`VIOLATED: ${violation}`);
  say(
    report.violations.length === 0
      ? 'Every promise held.'
      : `Run it again: npm run faults -- --minutes ${minutes} --seed ${seed}`,
  );
  process.exitCode = report.violations.length === 0 ? 0 : 1;
} finally {
  await owner.end();
}
