import test from 'ava';
import { seededRandom } from '../seeded-random.js';
import { FAULTS } from './faults.js';
import { nextKind } from './plan.js';
import { reportOf } from './report.js';
import { Table } from './table.js';
import { STEPS } from './under-way.js';

const ASKED = { minutes: 1, seed: 7 };

function reported(table: Table, violations: string[] = []): string {
  return reportOf(
    {
      faults: ['cut', 'kill'],
      killsAndCuts: 2,
      table,
      work: [],
      restMs: 1000,
      asked: 0,
      violations,
      logs: null,
    },
    ASKED,
  );
}

test('a run in which a fault hit a step is no proof for another step', (t) => {
  const table = new Table();
  table.add('kill', ['booking', 'label']);
  table.count('kill', ['booking', 'webhook']);

  t.deepEqual(table.empty, ['kill × label']);
  t.deepEqual([...table.missing('kill')], ['label']);
  t.regex(reported(table), /\*\*Invalid\*\*: these cells are empty: kill × label\./);
});

test('kinds of fault whose cells are empty come first, and every kind once none is', (t) => {
  const table = new Table();
  for (const [name, { steps }] of Object.entries(FAULTS)) {
    table.add(name, steps);
    table.count(name, name === 'reply late' || name === 'API killed' ? steps.slice(1) : steps);
  }
  const random = seededRandom(1);
  const drawn = () => [...new Set(Array.from({ length: 500 }, () => nextKind(table, random)))].sort();

  const before = drawn();
  table.count('API killed', ['booking']);
  const left = drawn();
  table.count('reply late', ['booking']);

  t.deepEqual(before, ['API killed', 'reply late']);
  t.deepEqual(left, ['reply late']);
  t.deepEqual(drawn(), Object.keys(FAULTS).sort());
});

test('a run that hit each cell is valid, and says how often', (t) => {
  const table = new Table();
  table.add('kill', ['booking']);
  table.count('kill', ['booking']);
  table.count('kill', ['booking']);

  const report = reported(table);

  t.regex(report, /^\| kill \| 2 \| – \| – \| – \| – \| – \|$/m);
  t.regex(report, /Each cell was hit\./);
  t.regex(report, /\*\*Every promise held\.\*\*/);
});

test('what does not hold is listed', (t) => {
  t.regex(reported(new Table(), ['booked twice: run a']), /\*\*Violated:\*\*\n\n- booked twice: run a/);
});

test('each step can be hit by a killed worker, and each but webhooks by a killed API', (t) => {
  t.deepEqual(FAULTS['worker killed']?.steps, STEPS);
  t.deepEqual(
    FAULTS['API killed']?.steps,
    STEPS.filter((step) => step !== 'webhook'),
  );
});
