import type { ChildProcess } from 'node:child_process';
import { setTimeout as delay } from 'node:timers/promises';
import { awaitHealthy, isRunning, type ProcessSpec, spawnSpec, stopChild } from './child.js';
import { SetupError, say } from './progress.js';

const FIRST_DELAY_MS = 200;
const LONGEST_DELAY_MS = 10_000;
/** A process that ran this long restarts without a longer delay. */
const STEADY_MS = 30_000;
/** Number of health checks until a process counts as hung. */
const LOOKS = 6;

interface Managed {
  readonly spec: ProcessSpec;
  child: ChildProcess;
  startedAt: number;
  /** Deaths in a row, each soon after the start. */
  deaths: number;
  /** Set once healthy: from then on it is restarted. */
  kept: boolean;
  timer: NodeJS.Timeout | null;
  /** When it was last healthy or restarted, on `performance`'s clock. */
  wellAt: number;
}

/** A process in the state files. */
export interface ProcessState {
  readonly name: string;
  readonly pid: number | null;
}

/** Starts processes, restarts those that die or hang, and stops all in reverse order. */
export class Supervisor {
  private readonly managed: Managed[] = [];
  private stopping: Promise<void> | null = null;

  /** @param onChange called when a process gets another pid */
  constructor(private readonly onChange: () => void) {}

  /** Every process in start order; the pid is null during a restart. */
  processes(): ProcessState[] {
    return this.managed.map(({ spec, child }) => ({
      name: spec.name,
      pid: isRunning(child) ? (child.pid ?? null) : null,
    }));
  }

  /** Starts a process and waits until it is healthy. @throws SetupError when it does not start */
  async add(spec: ProcessSpec): Promise<void> {
    if (this.stopping !== null) throw new SetupError('stopped');
    const now = Date.now();
    const entry: Managed = {
      spec,
      child: spawnSpec(spec),
      startedAt: now,
      deaths: 0,
      kept: false,
      timer: null,
      wellAt: performance.now(),
    };
    this.managed.push(entry);
    this.onChange();
    await awaitHealthy(spec, entry.child);
    entry.kept = true;
    entry.wellAt = performance.now();
    this.watch(entry);
    if (spec.hungAfterMs !== undefined) void this.endWhereHung(entry, spec.hungAfterMs);
    this.onChange();
  }

  /** Stops every process in reverse order. */
  stopAll(): Promise<void> {
    this.stopping ??= this.stopInTurn();
    return this.stopping;
  }

  private async stopInTurn(): Promise<void> {
    for (const { timer } of this.managed) if (timer !== null) clearTimeout(timer);
    for (const { spec, child } of this.managed.toReversed()) {
      await stopChild(child, spec.stopTimeoutMs);
    }
  }

  /** Checks until everything is stopped. A restarting process gets its time. */
  private async endWhereHung(entry: Managed, hungAfterMs: number): Promise<void> {
    while (this.stopping === null) {
      await delay(hungAfterMs / LOOKS, undefined, { ref: false });
      const isWell = !isRunning(entry.child) || (await entry.spec.healthy().catch(() => false));
      if (isWell) entry.wellAt = performance.now();
      if (this.stopping !== null || performance.now() - entry.wellAt < hungAfterMs) continue;
      say(`! ${entry.spec.name} (${entry.child.pid ?? 'no pid'}) does not work; ending it`);
      entry.wellAt = performance.now();
      entry.child.kill('SIGKILL');
    }
  }

  private watch(entry: Managed): void {
    let seen = false;
    const died = (): void => {
      if (seen || this.stopping !== null) return;
      seen = true;
      this.restartLater(entry);
    };
    entry.child.once('exit', died);
    entry.child.once('error', died);
    if (!isRunning(entry.child)) died();
  }

  private restartLater(entry: Managed): void {
    entry.deaths = Date.now() - entry.startedAt > STEADY_MS ? 0 : entry.deaths + 1;
    const delayMs = Math.min(FIRST_DELAY_MS * 2 ** Math.max(0, entry.deaths - 1), LONGEST_DELAY_MS);
    say(`! ${entry.spec.name} (${entry.child.pid ?? 'no pid'}) ended; starting it again in ${delayMs} ms`);
    entry.timer = setTimeout(() => {
      entry.timer = null;
      entry.child = spawnSpec(entry.spec);
      entry.startedAt = Date.now();
      entry.wellAt = performance.now();
      this.watch(entry);
      this.onChange();
    }, delayMs);
    this.onChange();
  }
}
