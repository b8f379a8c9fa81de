import type { Info } from '@temporalio/activity';
import type { Client } from '@temporalio/client';
import type { ActivityInboundCallsInterceptor, NativeConnection, WorkerOptions } from '@temporalio/worker';
import type { CarrierAdapter } from '../../carriers/contract.js';
import type { Config } from '../../config/config.js';
import { PRIORITIES } from '../../contracts/priorities.js';
import type { WakeTarget } from '../../contracts/wake.js';
import type { Database } from '../../db/database.js';
import type { QuietTime } from '../../lib/quiet-time.js';
import { dataConverterOf } from '../../temporal/data-converter.js';
import { namingParcel } from './parcel-in-logs.js';

/** What a worker process is made of. `carriers`: the adapters whose queues it may serve. */
export interface WorkerParts {
  config: Config;
  db: Database;
  temporal: Client;
  connection: NativeConnection;
  carriers: readonly CarrierAdapter[];
  workflowBundlePath: string;
}

/** The parts of a process, with what its queues share. */
export interface QueueParts extends WorkerParts {
  /** Starts what delivers the events that were recorded; returns at once. */
  wake(targets: readonly WakeTarget[]): void;
  /** Notes every activity that somebody waits for. */
  waitedFor: QuietTime;
}

/** One task queue as a worker serves it. */
export interface Queue {
  options: WorkerOptions;
  /** Ends what the queue's activities hold, after its worker has stopped. */
  close?(): Promise<void>;
}

/**
 * Far below every time-out: a busy process must not count as dead, and a cancellation comes with the answer. The usual
 * is four fifths of the time-out, so that one heartbeat a second late would end a booking under way.
 */
const HEARTBEAT_MS = 1000;

/** The options that every worker has. */
export function commonOptions({ config, connection, waitedFor }: QueueParts) {
  return {
    connection,
    namespace: config.temporalNamespace,
    dataConverter: dataConverterOf(config),
    shutdownGraceTime: config.shutdownGraceMs,
    shutdownForceTime: config.shutdownGraceMs + 5000,
    maxHeartbeatThrottleInterval: HEARTBEAT_MS,
    activityTaskPollerBehavior: { type: 'autoscaling', minimum: 2, initial: 5, maximum: 50 },
    interceptors: { activity: [({ info }) => ({ inbound: notingWho(info, waitedFor) }), namingParcel] },
  } satisfies Partial<WorkerOptions>;
}

/** Activities have the priority of their run, which tells whether somebody waits for its end. */
function notingWho({ priority }: Info, waitedFor: QuietTime): ActivityInboundCallsInterceptor {
  return {
    async execute(input, next) {
      if (priority?.priorityKey === PRIORITIES.interactive.priorityKey) waitedFor.note();
      return await next(input);
    },
  };
}
