import { setTimeout as delay } from 'node:timers/promises';
import type { OwnEngines, TestProcess } from '../../support/processes.js';
import type { FaultRequest, SandboxClient } from '../../support/sandbox-client.js';
import type { Direction } from '../../support/tcp-link.js';
import type { Random } from '../seeded-random.js';
import { deployed } from './deploys.js';
import type { Node } from './nodes.js';
import type { Fault, Scene } from './scene.js';
import { STEPS, type Step } from './under-way.js';

/** An API has no part in webhooks. */
const OF_API = STEPS.filter((step) => step !== 'webhook');
const AT_CARRIER = ['booking', 'batch', 'cancel'] as const;
/** Where batches are booked, so that a fault of this carrier's bookings hits a batch. */
export const BATCH_PROVIDER = 'lionwheel';
/** Carriers of every kind that single parcels are booked with beside `run`. */
export const BOOKED_WITH = ['wolt_drive', 'getpackage', 'independent'] as const;
/** Those of them that can fail. */
const FAILING = ['run', 'run', 'wolt_drive', 'getpackage'] as const;
const CONSUMED_MS = 10_000;
const LOOK_MS = 100;
const CUT_MS = [300, 1000, 2000, 5000];
/** How slow carriers are without a fault, in ms: a call is to be met by faults. */
export const CARRIER_MS = 250;

async function freeNodes({ nodes, underWay }: Scene, kind: Node['kind']) {
  const held = kind === 'worker' ? await underWay.atWorkers() : new Map<number, ReadonlySet<Step>>();
  return nodes
    .filter((node) => node.kind === kind && !node.isStruck)
    .map((node) => {
      const steps = kind === 'API' ? underWay.atApi(node.url) : held.get(node.process.pid ?? 0);
      return { node, steps: steps ?? new Set<Step>() };
    });
}

/** Strikes nodes, and has them back in the background. */
async function struck(nodes: readonly Node[], end: (process: TestProcess) => Promise<unknown>) {
  for (const node of nodes) node.isStruck = true;
  await Promise.all(nodes.map(({ process }) => end(process)));
  const back = async (node: Node) => {
    await node.process.start();
    node.isStruck = false;
  };
  return { healed: Promise.all(nodes.map(back)) };
}

function ofProcess(kind: Node['kind'], end: (process: TestProcess) => Promise<unknown>): Fault {
  return {
    isKillOrCut: true,
    steps: kind === 'API' ? OF_API : STEPS,
    targets: async (scene) =>
      (await freeNodes(scene, kind)).map(({ node, steps }) => ({ steps, strike: () => struck([node], end) })),
  };
}

function ofEngine(engineOf: (engines: OwnEngines) => TestProcess): Fault {
  return {
    isKillOrCut: true,
    isAlone: true,
    steps: STEPS,
    async targets({ engines, nodes, underWay }, random) {
      const held = [...(await underWay.atWorkers()).values(), ...nodes.map(({ url }) => underWay.atApi(url))];
      const strike = async () => {
        const engine = engineOf(engines);
        await engine.kill9();
        const awayMs = random.below(3000);
        return { healed: delay(awayMs).then(() => engine.start()) };
      };
      return [{ steps: new Set(held.flatMap((steps) => [...steps])), strike }];
    },
  };
}

function ofLink(kind: Node['kind'], to: keyof Node['links'], direction: Direction): Fault {
  return {
    isKillOrCut: true,
    steps: kind === 'API' ? OF_API : STEPS,
    targets: async (scene, random) =>
      (await freeNodes(scene, kind)).map(({ node, steps }) => ({
        steps,
        async strike() {
          const ms = random.pick(CUT_MS);
          const how = random.pick(['resume', 'reset'] as const);
          node.isStruck = true;
          node.links[to].cut(direction);
          const heal = () => {
            node.links[to].heal(how);
            node.isStruck = false;
          };
          return { healed: delay(ms).then(heal) };
        },
      })),
  };
}

type CarrierFault = Omit<FaultRequest, 'times'>;

/**
 * Faults of the next calls to a carrier; a step is hit once one of them met a call. `first`: what the next booking meets
 * before.
 */
function ofCarrier(
  steps: readonly Step[],
  faultOf: (random: Random) => CarrierFault,
  first?: CarrierFault,
): Fault {
  return {
    isKillOrCut: false,
    steps,
    targets: async ({ stack, failing }, random) =>
      steps
        .map((step) => ({
          step,
          provider: providerOf(step, random.pick(first === undefined ? FAILING : ['run'])),
        }))
        .filter(({ provider }) => !failing.has(provider))
        .map(({ step, provider }) => ({
          steps: new Set([step]),
          async strike() {
            const sandbox = stack.sandboxes.get(provider);
            if (sandbox === undefined) throw new Error(`${provider} has no sandbox`);
            failing.add(provider);
            await slow(sandbox);
            if (first !== undefined) await sandbox.fault(first);
            const times = random.below(4) + 1;
            const fault = { operation: step === 'cancel' ? 'cancel' : 'book', ...faultOf(random) } as const;
            await sandbox.fault({ ...fault, times });
            const hit = metBy([step], () => isMet(sandbox, { ...fault, times })).finally(() =>
              failing.delete(provider),
            );
            return { healed: Promise.resolve(), hit };
          },
        })),
  };
}

/** Parcels of `run` are the ones that are cancelled. */
function providerOf(step: Step, picked: string): string {
  if (step === 'batch') return BATCH_PROVIDER;
  return step === 'cancel' ? 'run' : picked;
}

/** The steps once the probe is true; none when that does not come soon. */
async function metBy(
  steps: readonly Step[],
  probe: () => Promise<boolean> | boolean,
): Promise<readonly Step[]> {
  for (const until = Date.now() + CONSUMED_MS; Date.now() < until; await delay(LOOK_MS)) {
    if (await probe()) return steps;
  }
  return [];
}

async function isMet(sandbox: SandboxClient, { operation, kind, times = 1 }: FaultRequest): Promise<boolean> {
  const waiting = (await sandbox.pending()).filter(
    (one) => one.operation === operation && one.kind === kind && one.times > 0,
  );
  return waiting.reduce((left, one) => left + one.times, 0) < times;
}

/** Takes away a carrier's faults; it is a little slow still. */
export async function slow(sandbox: SandboxClient): Promise<void> {
  await sandbox.fault({ kind: 'none' });
  for (const operation of ['book', 'cancel'] as const)
    await sandbox.fault({ operation, kind: 'latency', value: CARRIER_MS, times: 0 });
}

const receiverFails: Fault = {
  isKillOrCut: false,
  steps: ['webhook'],
  targets: async ({ outside: { receiver } }, random) => {
    const strike = async () => {
      const broken = random.pick([
        { kind: 'answer', status: 500 },
        { kind: 'reset' },
        { kind: 'answer', status: 200, delayMs: 1500 },
      ] as const);
      const before = receiver.requests.length;
      receiver.behave(
        { kind: 'answer', status: 200, delayMs: 100 },
        ...Array.from({ length: random.below(4) + 1 }, () => broken),
      );
      const hit = metBy(['webhook'], () => receiver.requests.length > before);
      return { healed: Promise.resolve(), hit };
    };
    return [{ steps: new Set(['webhook' as const]), strike }];
  },
};

const mailDefers: Fault = {
  isKillOrCut: false,
  steps: ['export'],
  targets: async ({ outside: { mail }, underWay }, random) => {
    const steps = new Set([...(await underWay.atWorkers()).values()].flatMap((held) => [...held]));
    const strike = async () => {
      mail.mode('defer', random.below(3) + 1);
      return { healed: Promise.resolve() };
    };
    return [{ steps, strike }];
  },
};

/** Every kind by its name. */
export const FAULTS: Readonly<Record<string, Fault>> = {
  'worker killed': ofProcess('worker', (worker) => worker.kill9()),
  'every worker killed': {
    isKillOrCut: true,
    steps: STEPS,
    async targets(scene) {
      const free = await freeNodes(scene, 'worker');
      const all = scene.nodes.filter(({ kind }) => kind === 'worker');
      if (free.length < all.length) return [];
      const steps = new Set(free.flatMap((one) => [...one.steps]));
      return [{ steps, strike: () => struck(all, (worker) => worker.kill9()) }];
    },
  },
  'worker stopped': ofProcess('worker', (worker) => worker.stop()),
  'API killed': ofProcess('API', (api) => api.kill9()),
  'API stopped': ofProcess('API', (api) => api.stop()),
  'MySQL killed': ofEngine(({ mysql }) => mysql),
  'engine killed': ofEngine(({ temporal }) => temporal),
  'API → MySQL cut': ofLink('API', 'MySQL', 'requests'),
  'MySQL → API cut': ofLink('API', 'MySQL', 'answers'),
  'API → engine cut': ofLink('API', 'engine', 'requests'),
  'engine → API cut': ofLink('API', 'engine', 'answers'),
  'worker → MySQL cut': ofLink('worker', 'MySQL', 'requests'),
  'MySQL → worker cut': ofLink('worker', 'MySQL', 'answers'),
  'worker → engine cut': ofLink('worker', 'engine', 'requests'),
  'engine → worker cut': ofLink('worker', 'engine', 'answers'),
  'deployed forth and back': deployed,
  'worker → carrier lost': ofCarrier(AT_CARRIER, () => ({ kind: 'drop_before' })),
  'carrier → worker lost': ofCarrier(AT_CARRIER, () => ({ kind: 'drop_after' })),
  'reply cut short': ofCarrier(AT_CARRIER, (random) => ({ kind: 'truncate', value: random.below(2) })),
  'reply late': ofCarrier(AT_CARRIER, () => ({ kind: 'latency_after', value: 3500 })),
  'carrier slow': ofCarrier(AT_CARRIER, (random) => ({ kind: 'latency', value: random.below(2500) })),
  'carrier answers 429, 5xx': ofCarrier(AT_CARRIER, (random) => {
    const value = random.pick([429, 500, 502, 503]);
    // 429 says that nothing was done.
    return { kind: 'status', value, after: value !== 429 && random.below(2) === 1 };
  }),
  'look-up fails': ofCarrier(
    ['booking', 'batch'],
    () => ({ operation: 'find', kind: 'status', value: 503 }),
    { operation: 'book', kind: 'drop_after' },
  ),
  'carrier refuses': ofCarrier(['booking', 'batch'], () => ({ kind: 'error_in_200', value: 100 })),
  'receiver fails': receiverFails,
  'mail server defers': mailDefers,
};
