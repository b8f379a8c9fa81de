import { ApplicationFailure } from '@temporalio/common';
import type { TestWorkflowEnvironment } from '@temporalio/testing';
import { Worker } from '@temporalio/worker';
import test from 'ava';
import type { BookInput } from '../../src/contracts/create-shipment.js';
import { type Creation, RESOLVE_BOOKING } from '../../src/contracts/create-shipment.js';
import { RETRIES } from '../../src/contracts/retries.js';
import { SEARCH_ATTRIBUTES } from '../../src/contracts/search-attributes.js';
import type { OrderSnapshot } from '../../src/domain/shipment.js';
import { uuidV7 } from '../../src/lib/ids.js';
import { workflowBundlePath } from '../../src/main/workflow-bundle.js';
import { CleanUps } from '../support/clean-ups.js';
import { eventually } from '../support/conditions.js';
import { plainOrder, plainShipment } from '../support/shipments.js';
import { startTimeSkipping } from '../support/time-skipping.js';
import '../support/engine-runtime.js';

const serverPath = process.env.TEMPORAL_TEST_SERVER;
const timed = serverPath === undefined ? test.skip : test.serial;
const HOUR_MS = 3600 * 1000;
/** The server's number for the type KEYWORD. */
const KEYWORD = 2;
const CARRIER = { id: 1, name: 'Double', provider: 'double' };

const cleanUps = new CleanUps();
let environment: TestWorkflowEnvironment;

test.before(async () => {
  if (serverPath === undefined) return;
  environment = await startTimeSkipping(cleanUps, serverPath);
  await environment.connection.operatorService.addSearchAttributes({
    namespace: environment.namespace ?? 'default',
    searchAttributes: Object.fromEntries(Object.values(SEARCH_ATTRIBUTES).map(({ name }) => [name, KEYWORD])),
  });
});

test.after.always(() => cleanUps.end());

// The test server's clock stands still while a task waits for a worker, so here a worker takes each call
// and the carrier asks for an hour's pause every time.
timed('a carrier that cannot be asked for a day brings the shipment before the operator', async (t) => {
  const startedAt = await environment.currentTimeMs();
  const flagged: string[] = [];
  let flaggedAfter = 0;
  let calls = 0;
  const stop = await startWorkers({
    book: () => {
      calls += 1;
      throw ApplicationFailure.create({ type: 'CarrierUnavailable', message: 'busy', nextRetryDelay: '1h' });
    },
    flagNeedsAttention: async (args) => {
      flaggedAfter = (await environment.currentTimeMs()) - startedAt;
      flagged.push(args.reason);
    },
  });
  t.teardown(stop);
  const handle = await environment.client.workflow.start('createShipment', {
    workflowId: 'patience-day',
    taskQueue: 'shipments',
    args: input(),
  });

  // Before it, a busy machine could let the day pass while nobody has taken the first task yet.
  await eventually(() => calls > 0, 'the first call');
  await environment.sleep(25 * HOUR_MS);
  await eventually(() => flagged.length > 0, 'the flag');
  const answer = await handle.executeUpdate<string, [unknown]>(RESOLVE_BOOKING, {
    args: [{ action: 'give_up', attempt: 1, reason: 'carrier closed down' }],
  });

  t.is(answer, 'refused');
  t.is(flagged.length, 1);
  t.true(flaggedAfter >= 22 * HOUR_MS && flaggedAfter <= 24 * HOUR_MS + 60_000, `${flaggedAfter} ms`);
  await t.throwsAsync(handle.result());
});

timed('a carrier that comes back later books without anyone’s help', async (t) => {
  let calls = 0;
  const stop = await startWorkers({
    book: () => {
      calls += 1;
      if (calls <= 20)
        throw ApplicationFailure.create({ type: 'CarrierUnavailable', message: 'nothing listens there' });
      return {
        kind: 'accepted',
        attempt: 1,
        parcel: { trackingCode: 'T1', carrierReference: null, description: null },
      };
    },
    flagNeedsAttention: () => t.fail('nobody had to be asked'),
  });
  t.teardown(stop);
  const startedAt = await environment.currentTimeMs();

  const result = await environment.client.workflow.execute('createShipment', {
    workflowId: 'patience-later',
    taskQueue: 'shipments',
    args: input(),
  });

  t.like(result, { status: 201, replayed: false });
  t.is(calls, 21);
  t.true((await environment.currentTimeMs()) - startedAt >= pausesOf(RETRIES.patiently, 20));
});

timed('a parcel that a try recorded after it counted as dead ends the wait for a person', async (t) => {
  let flags = 0;
  let looks = 0;
  const stop = await startWorkers({
    book: () => ({ kind: 'unknown', attempt: 1, text: 'reset' }),
    flagNeedsAttention: () => {
      flags += 1;
    },
    findRecorded: () => {
      looks += 1;
      return looks < 9 ? null : 'LATE-1';
    },
  });
  t.teardown(stop);
  const startedAt = await environment.currentTimeMs();

  const result = await environment.client.workflow.execute('createShipment', {
    workflowId: 'recorded-late',
    taskQueue: 'shipments',
    args: input(),
  });

  t.like(result, { status: 201, replayed: false });
  t.deepEqual([flags, looks], [1, 9]);
  const hours = ((await environment.currentTimeMs()) - startedAt) / HOUR_MS;
  t.is(Math.floor(hours), 0 + 1 + 2 + 4 + 8 + 16 + 24);
});

timed('a decision that comes after a parcel was recorded does not undo it', async (t) => {
  let recorded: string | null = null;
  let flags = 0;
  const stop = await startWorkers({
    book: () => ({ kind: 'unknown', attempt: 1, text: 'reset' }),
    flagNeedsAttention: () => {
      flags += 1;
    },
    findRecorded: () => recorded,
  });
  t.teardown(stop);
  const handle = await environment.client.workflow.start('createShipment', {
    workflowId: 'decided-late',
    taskQueue: 'shipments',
    args: input(),
  });
  await eventually(() => flags > 0, 'the question');
  recorded = 'LATE-2';

  const answer = await eventually(
    () =>
      handle
        .executeUpdate<string, [unknown]>(RESOLVE_BOOKING, {
          args: [{ action: 'give_up', attempt: 1, reason: 'none' }],
        })
        .catch(() => false as const),
    'the answer',
  );

  t.is(answer, 'created with tracking code LATE-2');
  t.like(await handle.result(), { status: 201 });
});

/** The pauses after this many failed tries, in milliseconds. */
function pausesOf(policy: typeof RETRIES.patiently, tries: number): number {
  const pauses = Array.from({ length: tries }, (_, n) =>
    Math.min(policy.initialInterval * policy.backoffCoefficient ** n, policy.maximumInterval),
  );
  return pauses.reduce((sum, pause) => sum + pause, 0);
}

interface Doubles {
  /** Without it nobody serves the carrier's queue. */
  book?(input: BookInput): unknown;
  flagNeedsAttention(args: { uuid: string; reason: string }): unknown;
  /** Without it no try has recorded anything. */
  findRecorded?(): string | null;
}

/** One call, which has ended. */
const CALLS = { attempt: 1, underWayUntil: null };

/** Workers whose activities are doubles: what is under test here is the workflow's use of time. */
async function startWorkers(doubles: Doubles): Promise<() => Promise<void>> {
  const shipment = { uuid: 'u1', licenseId: 1, carrier: CARRIER };
  const common = { connection: environment.nativeConnection, namespace: environment.namespace ?? 'default' };
  const { book } = doubles;
  const workers = await Promise.all([
    Worker.create({
      ...common,
      taskQueue: 'shipments',
      workflowBundle: { codePath: await workflowBundlePath({ payloadEncryption: null }) },
      activities: {
        reserve: async () => ({ kind: 'reserved', shipment }),
        record: async () => ({ shipmentUuid: 'u1', fingerprint: 'f', status: 201, body: '{}' }),
        release: async () => null,
        flagNeedsAttention: async (args: { uuid: string; reason: string }) => {
          await doubles.flagNeedsAttention(args);
          return CALLS;
        },
        findRecorded: async () => ({ ...CALLS, trackingCode: doubles.findRecorded?.() ?? null }),
      },
    }),
    ...(book === undefined
      ? []
      : [
          Worker.create({
            ...common,
            taskQueue: 'carrier-double',
            activities: { book: async (args: BookInput) => book(args) },
          }),
        ]),
  ]);
  const runs = Promise.all(workers.map((worker) => worker.run()));
  return async () => {
    for (const worker of workers) worker.shutdown();
    await runs;
  };
}

function input(): [Creation, OrderSnapshot] {
  const creation: Creation = {
    accountId: 1,
    licenseId: 1,
    carrier: CARRIER,
    shipmentUuid: uuidV7(),
    multipleShipment: true,
    requestId: 'r',
    idempotency: { api: 'v2', keyHash: 'k', fingerprint: 'f', keepForSeconds: 60 },
    details: plainShipment(),
    order: { id: '1', number: '1', externalId: null },
  };
  return [creation, plainOrder()];
}
