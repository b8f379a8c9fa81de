import type { Client } from '@temporalio/client';

/** Steps of the service's work, each with what a fault can interrupt. */
export const STEPS = ['booking', 'cancel', 'batch', 'export', 'webhook', 'label'] as const;
export type Step = (typeof STEPS)[number];

const WORKFLOWS: Record<Step, string> = {
  booking: `WorkflowType = 'createShipment'`,
  cancel: `WorkflowType = 'cancelShipment'`,
  batch: `WorkflowType = 'runBatch'`,
  export: `WorkflowType = 'exportShipments'`,
  webhook: `WorkflowType = 'deliverWebhooks'`,
  label: `WorkflowType IN ('renderLabels', 'renderLabelsTogether')`,
};
/** Runs looked at of each kind: the newest are the ones that are at work. */
const RUNS = 4;
/** `temporal.api.enums.v1.PendingActivityState`. */
const STARTED = 2;
const LOOK_MS = 2000;

/** Knows which process has which step in hand at the moment. */
export class UnderWay {
  readonly #temporal: Client;
  readonly #requests = new Map<string, Map<Step, number>>();

  constructor(temporal: Client) {
    this.#temporal = temporal;
  }

  /** Notes that the API at `url` has a request of this step until the answer is there. */
  async during<T>(step: Step, url: string, answer: Promise<T>): Promise<T> {
    const here = this.#requests.get(url) ?? new Map<Step, number>();
    this.#requests.set(url, here);
    here.set(step, (here.get(step) ?? 0) + 1);
    try {
      return await answer;
    } finally {
      here.set(step, (here.get(step) ?? 1) - 1);
    }
  }

  /** Steps of which the API at `url` has an unanswered request. */
  atApi(url: string): ReadonlySet<Step> {
    const here = this.#requests.get(url) ?? new Map<Step, number>();
    return new Set(STEPS.filter((step) => (here.get(step) ?? 0) > 0));
  }

  /** Steps of which each worker executes an activity just now, by its process id, as the engine knows it. */
  async atWorkers(): Promise<ReadonlyMap<number, ReadonlySet<Step>>> {
    const held = new Map<number, Set<Step>>();
    const look = async (step: Step) => {
      for (const pid of await this.#holders(step)) held.set(pid, (held.get(pid) ?? new Set()).add(step));
    };
    // An engine that is away holds nobody up.
    const all = () => Promise.allSettled(STEPS.map(look));
    await this.#temporal.withDeadline(Date.now() + LOOK_MS, all);
    return held;
  }

  async #holders(step: Step): Promise<number[]> {
    const { workflow } = this.#temporal;
    const query = `${WORKFLOWS[step]} AND ExecutionStatus = 'Running'`;
    const runs: string[] = [];
    for await (const { workflowId } of workflow.list({ query, pageSize: RUNS })) {
      runs.push(workflowId);
      if (runs.length === RUNS) break;
    }
    const described = await Promise.all(runs.map((id) => workflow.getHandle(id).describe()));
    return described
      .flatMap(({ raw }) => raw.pendingActivities ?? [])
      .filter(({ state }) => state === STARTED)
      .map(({ lastWorkerIdentity }) => Number.parseInt(lastWorkerIdentity ?? '', 10));
  }
}
