import type { OwnEngines } from '../../support/processes.js';
import type { TestStack } from '../../support/stack.js';
import type { Random } from '../seeded-random.js';
import type { Node } from './nodes.js';
import type { Outside } from './outside.js';
import type { Step, UnderWay } from './under-way.js';

/** The world that faults strike. */
export interface Scene {
  stack: TestStack;
  engines: OwnEngines;
  outside: Outside;
  nodes: readonly Node[];
  underWay: UnderWay;
  /** Whether new runs go to the next build. */
  isDeploying: boolean;
  /** Carriers whose last fault has not met a call. */
  failing: Set<string>;
}

/** The target of a fault, the steps that it has in hand at the moment, and how to strike it. */
export interface Target {
  steps: ReadonlySet<Step>;
  /**
   * Resolves when it is done, with the steps that were hit where only then they are known; `healed` is when all works
   * again.
   */
  strike(): Promise<{ healed: Promise<unknown>; hit?: Promise<readonly Step[]> }>;
}

/** A kind of fault. */
export interface Fault {
  /** Kills and cuts are what campaigns are counted by. */
  isKillOrCut: boolean;
  /** Steps that it can hit. */
  steps: readonly Step[];
  /** Engines that are away leave nothing to strike beside them. */
  isAlone?: true;
  targets(scene: Scene, random: Random): Promise<Target[]>;
}
