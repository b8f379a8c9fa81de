import { setTimeout as delay } from 'node:timers/promises';
import type { Owner } from '../../support/clean-ups.js';
import { eventually } from '../../support/conditions.js';
import { startOwnEngines } from '../../support/processes.js';
import { startStack } from '../../support/stack.js';
import { Load } from '../load.js';
import { type Random, seededRandom } from '../seeded-random.js';
import { deploy, runsOfNext } from './deploys.js';
import { BOOKED_WITH, FAULTS, slow } from './faults.js';
import { judge } from './judge.js';
import { KeyClients } from './key-clients.js';
import { ledgersOf } from './ledgers.js';
import { keepLogs } from './logs.js';
import { startNodes } from './nodes.js';
import { seenOutside, startOutside } from './outside.js';
import { Person } from './person.js';
import { nextKind } from './plan.js';
import { atRest } from './rest.js';
import type { Fault, Scene } from './scene.js';
import { SideWork } from './side-work.js';
import { Table } from './table.js';
import { UnderWay } from './under-way.js';
import { WatchedClient } from './watched-client.js';

const CLIENTS = 4;
const CREATED_BEFORE_FIRST_FAULT = 12;
/** A carrier's refusal is part of the game: the key is free again, and the client tries once more. */
const EXPECTED = [202, 422, 503];
/** For how long a fault waits for a step that its kind has not hit. */
const AIM_MS = 3000;
const LOOK_MS = 40;
/** Within which all that was accepted is final or asks for a person, once everything is healed. */
export const REST_MS = 120_000;

export interface CampaignOptions {
  seconds: number;
  seed: number;
  /** The longest pause between two faults. */
  pauseMs?: number;
  /** Carriers' look-ups find nothing and repeats are booked again: a run that must find a double. */
  withoutLookUp?: boolean;
  log(line: string): void;
}

/** The findings of a campaign. */
export interface Campaign {
  /** Kinds of the faults in their order. */
  faults: string[];
  killsAndCuts: number;
  table: Table;
  /** Faults and other work, a line each. */
  work: string[];
  /** From the end of the last fault until all was final or asked for a person; null when that did not come. */
  restMs: number | null;
  /** How many asked for a person then. */
  asked: number;
  /** Promises that did not hold; empty when all is well. */
  violations: string[];
  /** The folder with the logs of the processes, which stays when promises did not hold; else null. */
  logs: string | null;
}

/**
 * Runs two APIs and two workers on separate engines under constant load, and injects faults in the order that the seed
 * gives until the time is over. Then everything is healed, must come to rest, and is judged.
 */
export async function runCampaign(owner: Owner, options: CampaignOptions): Promise<Campaign> {
  const scene = await setScene(owner);
  try {
    const campaign = await campaignIn(owner, scene, options);
    return { ...campaign, logs: campaign.violations.length === 0 ? null : keepLogs(scene) };
  } catch (error) {
    options.log(`the logs are in ${keepLogs(scene)}`);
    throw error;
  }
}

async function campaignIn(
  owner: Owner,
  scene: Scene,
  options: CampaignOptions,
): Promise<Omit<Campaign, 'logs'>> {
  const { stack, nodes, outside, underWay } = scene;
  const apis = nodes.filter(({ kind }) => kind === 'API');
  const clients = apis.map(({ url }) => new WatchedClient(url, stack.account, underWay));
  for (const sandbox of stack.sandboxes.values()) {
    await slow(sandbox);
    if (options.withoutLookUp) await sandbox.configure({ rejectDuplicates: false, hidesParcels: true });
  }
  const load = new Load(clients, stack.account, EXPECTED).start(owner, CLIENTS);
  const others = new Load(clients, stack.account, EXPECTED, BOOKED_WITH).start(owner, BOOKED_WITH.length);
  const side = await new SideWork({ stack, outside, clients, underWay, load }).start(owner);
  const keys = new KeyClients(stack, clients).start(owner);
  const person = new Person(stack).start(owner);
  await eventually(
    () => load.remembered.length >= CREATED_BEFORE_FIRST_FAULT,
    'the load to be under way',
    60_000,
  );

  const { faults, table, died } = await injectFaults(scene, options);
  await Promise.all([...stack.sandboxes.values()].map((sandbox) => sandbox.fault({ kind: 'none' })));
  outside.receiver.behave({ kind: 'answer', status: 200 });
  outside.mail.mode('accept');
  await person.goOff();
  const working = Promise.all([load.stop(), others.stop(), side.stop(), keys.stop()]);
  const unrest: string[] = [];
  const unless = async <T>(what: string, come: Promise<T>): Promise<T | null> =>
    await come.catch((error: unknown) => {
      unrest.push(`${what}: ${error instanceof Error ? error.message : error}`);
      return null;
    });
  const restMs = await unless('accepted and without an end', atRest(stack, 'asking', REST_MS));
  const asked = await person.asked();
  await unless('asks for a person', person.decideAll(REST_MS));
  await working;
  await unless('not at rest', atRest(stack, 'all', REST_MS));

  const ended = nodes.filter(({ process }) => !process.isRunning).map(({ process }) => process.log);
  const [client] = clients;
  if (client === undefined) throw new Error('no API runs');
  const evidence = {
    stack,
    client,
    remembered: [...load.remembered, ...others.remembered],
    batches: side.batches,
    cancelled: side.cancelled,
    webhookId: side.webhookId,
    ...seenOutside(outside),
  };
  return {
    faults,
    killsAndCuts: faults.filter((name) => FAULTS[name]?.isKillOrCut).length,
    table,
    work: [
      load.summary,
      `others: ${others.summary}`,
      side.summary,
      keys.summary,
      person.summary,
      `${await runsOfNext(stack)} runs under the next build`,
    ],
    restMs,
    asked,
    violations: [
      ...died,
      ...unrest,
      ...load.unexpected,
      ...others.unexpected,
      ...side.unexpected,
      ...ended.map((log) => `a process ended by itself: ${log}`),
      ...keys.violations(await ledgersOf(stack.sandboxes)),
      ...(await judge(evidence)),
    ],
  };
}

async function setScene(owner: Owner): Promise<Scene> {
  const [engines, outside] = await Promise.all([startOwnEngines(owner), startOutside(owner)]);
  const stack = await startStack({ engines, env: outside.env });
  owner.teardown(() => stack.close());
  const nodes = await startNodes(owner, stack, engines);
  await deploy(stack, 'old');
  const underWay = new UnderWay(stack.temporal);
  return { outside, stack, engines, nodes, underWay, isDeploying: false, failing: new Set() };
}

/** Injects faults until the time is over and all that they broke works again. */
async function injectFaults(
  scene: Scene,
  { seconds, seed, pauseMs = 500, log }: CampaignOptions,
): Promise<{ faults: string[]; table: Table; died: string[] }> {
  const table = new Table();
  for (const [name, { steps }] of Object.entries(FAULTS)) table.add(name, steps);
  // The moments of faults depend on the machine, so their order has its own choices.
  const [order, details] = [seededRandom(seed), seededRandom(seed + 1)];
  const faults: string[] = [];
  const died: string[] = [];
  const counting: Promise<void>[] = [];
  const healing = new Set<Promise<unknown>>();
  const until = Date.now() + seconds * 1000;
  while (Date.now() < until) {
    const name = nextKind(table, order);
    const fault = FAULTS[name];
    if (fault === undefined) continue;
    if (fault.isAlone) await Promise.all(healing);
    const target = await aimed(fault, { scene, missing: table.missing(name), random: details });
    if (target === undefined) continue;
    const { healed, hit } = await target.strike();
    faults.push(name);
    log(`${faults.length}. ${name}: ${[...target.steps].join(', ')}`);
    const counted = Promise.resolve(hit).then((met) => table.count(name, met ?? target.steps));
    counting.push(counted);
    const settled = healed
      .catch((error: unknown) => died.push(`${name}: ${error}`))
      .finally(() => healing.delete(settled));
    healing.add(settled);
    if (fault.isAlone) await settled;
    await delay(order.below(pauseMs));
  }
  await Promise.all([...healing, ...counting]);
  return { faults, table, died };
}

/** A target with a step in hand that the kind has not hit, when one comes soon; else any that there is. */
async function aimed(
  fault: Fault,
  { scene, missing, random }: { scene: Scene; missing: ReadonlySet<string>; random: Random },
) {
  const until = Date.now() + AIM_MS;
  for (;;) {
    const targets = await fault.targets(scene, random);
    const fitting = targets.filter(({ steps }) =>
      missing.size === 0 ? steps.size > 0 : [...steps].some((step) => missing.has(step)),
    );
    if (fitting.length > 0) return random.pick(fitting);
    if (Date.now() > until) return targets.length === 0 ? undefined : random.pick(targets);
    await delay(LOOK_MS);
  }
}
