import { LIMITS } from '../lib/limits/values.js';

/** Once is enough for an age in seconds. */
const LOOK_EVERY_MS = 5000;

const LINE = /^temporal_(\w+)\{([^}]*)\} (\S+)$/gm;
/**
 * The SDK's counters of polls that the engine answered, with a task or with none, by the kind of worker that they feed.
 * Its count of failed requests leaves out a status that comes in a trailer, as that of ResourceExhausted does.
 */
const ANSWERS: Readonly<Record<string, string>> = {
  activity_poll_no_task_total: 'ActivityWorker',
  activity_task_received_total: 'ActivityWorker',
  workflow_task_queue_poll_empty_total: 'WorkflowWorker',
  workflow_task_queue_poll_succeed_total: 'WorkflowWorker',
};
const FREE_SLOTS = 'worker_task_slots_available';

/** A queue and the kind of task that is asked for. */
interface Poll {
  queue: string;
  kind: string;
  /** Polls that the engine has answered, be it with no task. */
  answered: number;
  answeredAt: number;
}

/**
 * When the engine last answered a poll of each queue, by the SDK's figures. A worker with all its places in use asks for
 * nothing, and counts as if it were answered.
 */
export class PollWatch {
  readonly #polls: readonly Poll[];
  readonly #now: () => number;

  /** `workflowQueues`: those that have workflows beside their activities. `now`: a monotonic clock in milliseconds. */
  constructor(
    queues: readonly string[],
    workflowQueues: readonly string[],
    now: () => number = () => performance.now(),
  ) {
    const pollOf = (kind: string) => (queue: string) => ({
      queue,
      kind,
      answered: 0,
      answeredAt: now(),
    });
    this.#polls = [...queues.map(pollOf('ActivityWorker')), ...workflowQueues.map(pollOf('WorkflowWorker'))];
    this.#now = now;
  }

  /** Takes in the figures, in the text format of Prometheus. */
  note(figures: string): void {
    const answered = new Map<string, number>();
    const full = new Set<string>();
    for (const [, name = '', labels = '', value] of figures.matchAll(LINE)) {
      const queue = labelOf(labels, 'task_queue');
      const key = `${queue} ${ANSWERS[name]}`;
      if (ANSWERS[name] !== undefined) answered.set(key, (answered.get(key) ?? 0) + Number(value));
      if (name === FREE_SLOTS && Number(value) === 0) full.add(`${queue} ${labelOf(labels, 'worker_type')}`);
    }
    for (const poll of this.#polls) {
      const key = `${poll.queue} ${poll.kind}`;
      const now = answered.get(key) ?? 0;
      if (now > poll.answered || full.has(key)) poll.answeredAt = this.#now();
      poll.answered = Math.max(poll.answered, now);
    }
  }

  /** Whole seconds since the last answer, by queue; since the start, where there was none. */
  get ages(): Readonly<Record<string, number>> {
    const ages: Record<string, number> = {};
    for (const { queue, answeredAt } of this.#polls) {
      ages[queue] = Math.max(ages[queue] ?? 0, Math.floor((this.#now() - answeredAt) / 1000));
    }
    return ages;
  }

  /** A queue for which the engine has answered no poll for too long; null where there is none. */
  get silent(): string | null {
    const found = this.#polls.find(({ answeredAt }) => this.#now() - answeredAt > LIMITS.worker.pollMs);
    return found?.queue ?? null;
  }
}

function labelOf(labels: string, name: string): string {
  return new RegExp(`(?:^|,)${name}="([^"]*)"`).exec(labels)?.[1] ?? '';
}

/** Keeps a watch up to date until the process ends. */
export function keepWatching(watch: PollWatch, figures: () => Promise<string>): void {
  setInterval(() => void figures().then((text) => watch.note(text)), LOOK_EVERY_MS).unref();
}
