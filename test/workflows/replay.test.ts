import { readdir, readFile } from 'node:fs/promises';
import { Worker } from '@temporalio/worker';
import test from 'ava';
import { workflowBundlePath } from '../../src/main/workflow-bundle.js';
import { HISTORIES } from '../support/histories.js';
import '../support/engine-runtime.js';

interface Recorded {
  workflow: string;
  outcome: string;
  history: { events: { workflowExecutionStartedEventAttributes?: { workflowType: { name: string } } }[] };
}

let recorded: Recorded[] = [];

test.before(async () => {
  recorded = await readHistories();
});

test('every workflow has a recorded history', async (t) => {
  const source = await readFile(new URL('../../../workflows/index.ts', import.meta.url), 'utf8');
  const exported = source.match(/^export \{([^}]+)\}/m)?.[1]?.match(/\w+/g) ?? [];

  const covered = new Set(recorded.map((one) => one.workflow));

  t.true(exported.length >= 4);
  t.deepEqual(
    exported.filter((name) => !covered.has(name)),
    [],
  );
});

test('every outcome of a creation has a recorded history', (t) => {
  const outcomes = recorded.filter((one) => one.workflow === 'createShipment').map((one) => one.outcome);

  const wanted = [
    'created',
    'recorded-later',
    'replayed',
    'refused',
    'adopted-drop_after',
    'attention-adopt',
    'attention-retry',
    'attention-give_up',
    'resumed-adopt',
    'duplicate',
    'waited',
  ];

  t.deepEqual(
    wanted.filter((outcome) => !outcomes.includes(outcome)),
    [],
  );
});

test('the present code replays every recorded history', async (t) => {
  t.true(recorded.length >= 10);

  const outcomes = await replay(recorded);

  t.is(outcomes.size, recorded.length);
  const failures = [...outcomes].filter(([, end]) => end !== 'replayed').map((one) => one.join(': '));
  t.deepEqual(failures, []);
});

test('a history that the code did not make is refused', async (t) => {
  const created = recorded.find((one) => one.workflow === 'createShipment' && one.outcome === 'created');
  if (created === undefined) throw new Error('no creation was recorded');
  const altered = structuredClone(created);
  for (const event of altered.history.events) {
    const started = event.workflowExecutionStartedEventAttributes;
    if (started !== undefined) started.workflowType.name = 'housekeeping';
  }

  const outcomes = await replay([altered]);

  t.deepEqual([...outcomes.keys()], [nameOf(created)]);
  t.regex(outcomes.get(nameOf(created)) ?? '', /^DeterminismViolationError: .*Nondeterminism/s);
});

const nameOf = ({ workflow, outcome }: Recorded) => `${workflow}/${outcome}`;

/** 'replayed', or the error's name and what it says, by name of the history. */
async function replay(histories: readonly Recorded[]): Promise<Map<string, string>> {
  const results = Worker.runReplayHistories(
    { workflowBundle: { codePath: await workflowBundlePath({ payloadEncryption: null }) } },
    histories.map((one) => ({ workflowId: nameOf(one), history: one.history })),
  );
  const outcomes = new Map<string, string>();
  for await (const { workflowId, error } of results) {
    outcomes.set(workflowId, error === undefined ? 'replayed' : `${error.name}: ${error.message}`);
  }
  return outcomes;
}

async function readHistories(): Promise<Recorded[]> {
  const all: Recorded[] = [];
  for (const workflow of await readdir(HISTORIES)) {
    for (const file of await readdir(new URL(`${workflow}/`, HISTORIES))) {
      const history = JSON.parse(await readFile(new URL(`${workflow}/${file}`, HISTORIES), 'utf8'));
      all.push({ workflow, outcome: file.replace(/\.json$/, ''), history });
    }
  }
  return all;
}
