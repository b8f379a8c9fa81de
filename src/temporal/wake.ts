import type { Client } from '@temporalio/client';
import { taskQueues, workflowIds } from '../contracts/ids.js';
import { PRIORITIES } from '../contracts/priorities.js';
import { attributesOf } from '../contracts/search-attributes.js';
import { WAKE_SIGNAL, type WakeTarget } from '../contracts/wake.js';
import type { Workflows } from '../contracts/workflows.js';
import { toSummary } from '../domain/run-summary.js';
import { Rate } from '../lib/limits/rate.js';
import { Slots } from '../lib/limits/slots.js';

const WAKE_MS = 5000;
const WAKES_OF_LICENSE = 5;
const WAKES_OF_LICENSE_MS = 300;
const WAKE_AGAIN_MS = 500;
const WAKE_AFTER_ANSWER_MS = 30;

/** State of one target. `next`: set when it is named during a call or a pause. */
interface Waking {
  next: WakeTarget | null;
  /** Ends the pause early. */
  hurry: () => void;
}

/** `onTrouble` receives every failed call. `summaryOf`: the run's summary, null when unknown. */
interface WakerOptions {
  onTrouble(error: unknown): void;
  summaryOf(target: WakeTarget): Promise<string | null>;
}

/** Wakes delivering workflows. */
export function createWaker(client: Client, { onTrouble, summaryOf }: WakerOptions) {
  const known = new Map<string, Waking>();
  const calls = new Set<Promise<void>>();
  const slots = new Slots({ total: 4 });
  const rate = new Rate({
    burst: WAKES_OF_LICENSE,
    perSecond: 1000 / WAKES_OF_LICENSE_MS,
  });
  let closing = false;

  const run = async (key: string, waking: Waking) => {
    if (!closing) await quiet(waking, WAKE_AFTER_ANSWER_MS);
    for (let target = take(waking); target !== null; target = take(waking)) {
      const turnMs =
        target.kind === 'webhook' ? rate.take(target.licenseId ?? 0, Number.POSITIVE_INFINITY) : 0;
      if (!closing && turnMs) await quiet(waking, turnMs);
      // This call also serves wakes that arrived meanwhile.
      const due = take(waking) ?? target;
      try {
        await slots.use(async () => {
          const summary = await summaryOf(due);
          await client.withDeadline(Date.now() + WAKE_MS, () => signal(client, due, summary));
        });
      } catch (error) {
        onTrouble(error);
      }
      if (!closing) await quiet(waking, WAKE_AGAIN_MS);
    }
    known.delete(key);
  };

  return {
    /**
     * Starts or signals each target's workflow, and returns at once. Wakes of one target are merged; few calls
     * run at once, and a license's webhooks are rate-limited. Failures are only reported: the Schedule
     * `wake-deliveries` repeats the wake.
     */
    wake(targets: readonly WakeTarget[]): void {
      for (const target of targets) {
        const key = idOf(target);
        const waking = known.get(key);
        if (waking !== undefined) {
          waking.next = target;
          continue;
        }
        const fresh: Waking = { next: target, hurry: () => undefined };
        known.set(key, fresh);
        const call = run(key, fresh).finally(() => calls.delete(call));
        calls.add(call);
      }
    },
    /** Sends pending wakes; resolves when no call is running. */
    async close(): Promise<void> {
      closing = true;
      for (const waking of known.values()) waking.hurry();
      await Promise.all(calls);
    },
  };
}

function take(waking: Waking): WakeTarget | null {
  const { next } = waking;
  waking.next = null;
  return next;
}

function quiet(waking: Waking, ms: number): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, ms);
    // A pending wake must not keep the process alive.
    timer.unref();
    waking.hurry = () => {
      clearTimeout(timer);
      resolve();
    };
  });
}

function idOf(target: WakeTarget): string {
  switch (target.kind) {
    case 'webhook':
      return workflowIds.deliverWebhooks(target.subscriptionId);
    case 'mail':
      return workflowIds.notifyRecipients(target.licenseId);
    case 'inbound':
      return workflowIds.applyInbound(target.licenseId);
  }
}

async function signal(client: Client, target: WakeTarget, summary: string | null): Promise<void> {
  const { licenseId, parcel } = target;
  const common = {
    workflowId: idOf(target),
    taskQueue: taskQueues.shipments,
    signal: WAKE_SIGNAL,
    signalArgs: [],
    priority: PRIORITIES.bulk,
    staticSummary: toSummary(summary ?? `${SUMMARIES[target.kind]} ${licenseId}`),
    typedSearchAttributes: attributesOf({
      licenseId,
      orderId: parcel?.orderId,
      shipmentId: parcel?.shipmentUuid,
    }),
  };
  if (target.kind === 'webhook') {
    const { subscriptionId } = target;
    const args: Parameters<Workflows['deliverWebhooks']> = [{ subscriptionId }];
    await client.workflow.signalWithStart('deliverWebhooks', { ...common, args });
    return;
  }
  const args: Parameters<Workflows['applyInbound' | 'notifyRecipients']> = [{ licenseId: target.licenseId }];
  const type = target.kind === 'inbound' ? 'applyInbound' : 'notifyRecipients';
  await client.workflow.signalWithStart(type, { ...common, args });
}

/** Summaries for unknown names. */
const SUMMARIES = {
  webhook: 'Deliver events of license',
  mail: 'Mail the recipients of license',
  inbound: "Apply the carrier's webhooks of license",
} as const;
