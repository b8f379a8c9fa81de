import { LIMITS } from '../lib/limits/values.js';

/** Once is enough for an age in seconds. */
const LOOK_EVERY_MS = 5000;

const LINE = /^temporal_(\w+)\{([^}]*)\} (\S+)$/gm;
/** The SDK's figures of polls, and the kind of worker that each poll feeds. */
const ANSWERS = 'long_request_latency_seconds_count';
const FAILURES = 'long_request_failure_total';
const FREE_SLOTS = 'worker_task_slots_available';
const FEEDS: Readonly<Record<string, string>> = {
  PollActivityTaskQueue: 'ActivityWorker',
  PollWorkflowTaskQueue: 'WorkflowWorker',
};

/** A queue and the kind of task that is asked for. */
interface Poll {
  queue: string;
  operation: string;
  /** Polls that the engine has answered, be it with nothing. */
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
    const pollOf = (operation: string) => (queue: string) => ({
      queue,
      operation,
      answered: 0,
      answeredAt: now(),
    });
    this.#polls = [
      ...queues.map(pollOf('PollActivityTaskQueue')),
      ...workflowQueues.map(pollOf('PollWorkflowTaskQueue')),
    ];
    this.#now = now;
  }

  /** Takes in the figures, in the text format of Prometheus. */
  note(figures: string): void {
    const answered = new Map<string, number>();
    const full = new Set<string>();
    const add = (key: string, count: number) => answered.set(key, (answered.get(key) ?? 0) + count);
    for (const [, name, labels = '', value] of figures.matchAll(LINE)) {
      const queue = labelOf(labels, 'task_queue');
      if (name === ANSWERS) add(`${queue} ${labelOf(labels, 'operation')}`, Number(value));
      if (name === FAILURES) add(`${queue} ${labelOf(labels, 'operation')}`, -Number(value));
      if (name === FREE_SLOTS && Number(value) === 0) full.add(`${queue} ${labelOf(labels, 'worker_type')}`);
    }
    for (const poll of this.#polls) {
      const now = answered.get(`${poll.queue} ${poll.operation}`) ?? 0;
      if (now > poll.answered || full.has(`${poll.queue} ${FEEDS[poll.operation]}`)) {
        poll.answeredAt = this.#now();
      }
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
