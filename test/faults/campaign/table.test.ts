import test from 'ava';
import { FAULTS } from './faults.js';
import { reportOf } from './report.js';
import { Table } from './table.js';
import { STEPS } from './under-way.js';

const ASKED = { minutes: 1, seed: 7 };

function reported(table: Table, violations: string[] = []): string {
  return reportOf(
    { faults: ['cut', 'kill'], killsAndCuts: 2, table, work: [], restMs: 1000, asked: 0, violations },
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
