import { setTimeout as delay } from 'node:timers/promises';
import type { Owner } from '../support/clean-ups.js';
import { eventually } from '../support/conditions.js';
import { violations } from '../support/invariants.js';
import {
  type ApiProcess,
  type OwnEngines,
  startApiProcess,
  startOwnEngines,
  startWorkerProcess,
  type TestProcess,
} from '../support/processes.js';
import { startStack, type TestStack } from '../support/stack.js';
import { Load } from './load.js';
import { type Random, seededRandom } from './seeded-random.js';
import { type Outside, SideWork, startOutside } from './side-work.js';

const CLIENTS = 6;
const CREATED_BEFORE_FIRST_FAULT = 12;
/** A carrier's refusal is part of the game: the key is free again, and the client tries once more. */
const EXPECTED = [202, 422, 503];

/** The report of a run of faults. */
export interface FaultReport {
  /** The faults in their order. */
  faults: string[];
  created: number;
  /** Statuses that the clients saw, as one line. */
  answers: string;
  /** Broken promises; empty when all is well. */
  violations: string[];
}

interface Scene {
  outside: Outside;
  stack: TestStack;
  engines: OwnEngines;
  apis: ApiProcess[];
  workers: TestProcess[];
}

type Fault = (scene: Scene, random: Random) => Promise<void>;

const FAULTS: Record<string, Fault> = {
  'worker killed': async ({ workers }, random) => {
    const worker = random.pick(workers);
    await worker.kill9();
    await worker.start();
  },
  'every worker killed': async ({ workers }) => {
    await Promise.all(workers.map((worker) => worker.kill9()));
    await Promise.all(workers.map((worker) => worker.start()));
  },
  'worker stopped': async ({ workers }, random) => {
    const worker = random.pick(workers);
    await worker.stop();
    await worker.start();
  },
  'API killed': async ({ apis }, random) => {
    const api = random.pick(apis);
    await api.process.kill9();
    await api.process.start();
  },
  'API stopped': async ({ apis }, random) => {
    const api = random.pick(apis);
    await api.process.stop();
    await api.process.start();
  },
  'MySQL killed': ({ engines }, random) => outage(engines.mysql, random),
  'Temporal killed': ({ engines }, random) => outage(engines.temporal, random),
  'slow carrier': ({ stack }, random) =>
    stack.sandbox.fault({
      operation: 'book',
      kind: 'latency',
      value: random.below(2500),
      times: random.below(20) + 1,
    }),
  'late replies': ({ stack }, random) =>
    stack.sandbox.fault({
      operation: 'book',
      kind: 'latency_after',
      value: 3500,
      times: random.below(5) + 1,
    }),
  'lost requests': ({ stack }, random) =>
    stack.sandbox.fault({ operation: 'book', kind: 'drop_before', times: random.below(5) + 1 }),
  'lost replies': ({ stack }, random) =>
    stack.sandbox.fault({ operation: 'book', kind: 'drop_after', times: random.below(5) + 1 }),
  'truncated replies': ({ stack }, random) =>
    stack.sandbox.fault({
      operation: 'book',
      kind: 'truncate',
      value: random.below(2),
      times: random.below(5) + 1,
    }),
  'storm of errors': ({ stack }, random) =>
    stack.sandbox.fault({
      kind: 'status',
      value: random.pick([429, 500, 502, 503]),
      after: random.below(2) === 1,
      times: random.below(6) + 1,
    }),
  'receiver fails': async ({ outside }, random) => {
    const broken = random.pick([
      { kind: 'answer', status: 500 },
      { kind: 'reset' },
      { kind: 'answer', status: 200, delayMs: 1500 },
    ] as const);
    outside.receiver.behave(
      { kind: 'answer', status: 200 },
      ...Array.from({ length: random.below(4) + 1 }, () => broken),
    );
  },
  'mail server defers': async ({ outside }, random) => outside.mail.mode('defer', random.below(3) + 1),
  'a refusal': ({ stack }) => stack.sandbox.fault({ operation: 'book', kind: 'error_in_200', value: 100 }),
};

/**
 * Runs two APIs and two workers on separate engines under constant load, and injects faults in the order that the
 * seed gives, until the time is over. Then everything is let come to rest and checked.
 */
export async function runRandomFaults(
  owner: Owner,
  options: { seconds: number; seed: number; log: (line: string) => void },
): Promise<FaultReport> {
  const random = seededRandom(options.seed);
  const scene = await setScene(owner);
  const urls = scene.apis.map(({ url }) => url);
  const side = await new SideWork(scene.stack, scene.outside, urls).start(owner);
  const load = new Load(urls, scene.stack.account, EXPECTED).start(owner, CLIENTS);
  await eventually(() => load.remembered.length >= CREATED_BEFORE_FIRST_FAULT, 'the load to be under way');

  const until = Date.now() + options.seconds * 1000;
  const faults: string[] = [];
  while (Date.now() < until) {
    const name = random.pick(Object.keys(FAULTS));
    faults.push(name);
    options.log(`${faults.length}. ${name} (${load.remembered.length} created so far)`);
    await FAULTS[name]?.(scene, random);
    await delay(random.below(1000));
  }
  await scene.stack.sandbox.fault({ kind: 'none' });
  await Promise.all([load.stop(), side.stop()]);

  const [api] = scene.apis;
  if (api === undefined) throw new Error('no API runs');
  const died = [...scene.workers, ...scene.apis.map((one) => one.process)].filter((one) => !one.isRunning);
  return {
    faults,
    created: load.remembered.length,
    answers: `${load.summary}; beside them ${side.summary}`,
    violations: [
      ...load.unexpected,
      ...died.map((one) => `a process ended by itself: ${one.log}`),
      ...(await side.violations()),
      ...(await violations(scene.stack, api.client, load.remembered)),
    ],
  };
}

async function setScene(owner: Owner): Promise<Scene> {
  const [engines, outside] = await Promise.all([startOwnEngines(owner), startOutside(owner)]);
  const stack = await startStack({ engines, env: outside.env });
  owner.teardown(() => stack.close());
  const [one, two, ...workers] = await Promise.all([
    startApiProcess(owner, stack),
    startApiProcess(owner, stack),
    startWorkerProcess(owner, stack),
    startWorkerProcess(owner, stack),
  ]);
  return { outside, stack, engines, apis: [one, two], workers };
}

async function outage(engine: TestProcess, random: Random): Promise<void> {
  await engine.kill9();
  await delay(random.below(3000));
  await engine.start();
}
