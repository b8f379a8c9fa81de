import test from 'ava';
import type { CarrierAdapter, Outcome, PickupPoint } from '../../src/carriers/contract.js';
import { scheduleIds, workflowIds } from '../../src/contracts/ids.js';
import { isWorkflowRunning } from '../../src/temporal/run-state.js';
import { ensureSchedules } from '../../src/temporal/schedules.js';
import { ApiClient, shipmentBody } from '../support/api-client.js';
import { carrierDouble } from '../support/carrier-double.js';
import { eventually, onceBegun } from '../support/conditions.js';
import { keepHistory } from '../support/histories.js';
import { startStack, type TestStack } from '../support/stack.js';

/** The double's next answers, and how often it was called. */
const double = { next: [] as Outcome<PickupPoint[]>[], calls: 0 };
const adapter: CarrierAdapter = {
  ...carrierDouble('points_double').adapter,
  async pickupPoints() {
    double.calls += 1;
    return double.next.shift() ?? { kind: 'accepted', value: [spot('1')] };
  },
};

let stack: TestStack;
let api: ApiClient;

test.before(async () => {
  stack = await startStack({ doubles: [adapter] });
  await stack.startWorkers([adapter, ...(await registry())]);
  api = new ApiClient(await stack.startApi(), stack.account);
});
test.after.always(() => stack?.close());

test.serial('the first question fetches the list, and further ones answer from the copy', async (t) => {
  const first = await onceBegun(() => api.get(path('run')));
  await stack.sandbox.fault({ operation: 'points', kind: 'status', value: 500, times: 5 });
  const second = await api.get(path('run', '&city=חיפה'));
  const near = await api.get(path('run', '&latitude=31.79&longitude=35.2&limit=2'));
  await stack.sandbox.fault({ operation: 'points', kind: 'none' });

  t.is(first.status, 200, first.text);
  t.deepEqual(
    first.body.data.map((point: { id: string }) => point.id),
    ['1002', '1003', '1001'],
    'in order of city, without the point that takes no deliveries',
  );
  t.like(second.body.data, [
    {
      id: '1002',
      name: 'Kiosk & Co "24/7"',
      street: 'הרצל',
      number: '12',
      latitude: 32.811,
      longitude: 34.999,
      remarks: '',
      distance_km: null,
    },
  ]);
  t.deepEqual(Object.keys(second.body.data[0].carrier), ['id', 'name']);
  t.deepEqual(
    near.body.data.map((point: { id: string }) => point.id),
    ['1003', '1001'],
  );
  t.true(near.body.data[0].distance_km < 1);
  const handle = stack.temporal.workflow.getHandle(workflowIds.refreshPickupPoints(await licenseId('run')));
  t.deepEqual(await handle.result(), { renewed: 1, failed: 0 });
  await keepHistory(handle, 'refreshPickupPoints', 'first-use');
});

test.serial('questions at once fetch the list once', async (t) => {
  double.calls = 0;

  const answers = await Promise.all(Array.from({ length: 8 }, () => api.get(path('points_double'))));

  t.deepEqual(
    answers.map(({ status }) => status),
    Array(8).fill(200),
  );
  t.is(double.calls, 1);
});

test.serial('a carrier in trouble is asked again, and an empty list is trouble', async (t) => {
  await forget('points_double');
  double.next = [
    { kind: 'unavailable', text: 'No connection.' },
    { kind: 'accepted', value: [] },
    { kind: 'accepted', value: [spot('7'), spot(''), spot('7', 'Later'), spot('x'.repeat(65))] },
  ];

  // Three tries take a busy machine longer than a question waits: it gets the advice to retry.
  const answer = await eventually(async () => {
    const asked = await api.get(path('points_double'));
    return asked.status !== 503 && asked;
  }, 'the list of the third try');

  t.is(answer.status, 200, answer.text);
  t.like(answer.body.data, [{ id: '7', name: 'Later' }]);
});

test.serial('a refusal of the carrier is shown in its words, and the next request asks again', async (t) => {
  await forget('points_double');
  double.next = [{ kind: 'rejected', code: '7', text: 'No contract for points.' }];

  const refused = await api.get(path('points_double'));
  const handle = stack.temporal.workflow.getHandle(
    workflowIds.refreshPickupPoints(await licenseId('points_double')),
  );
  await keepHistory(handle, 'refreshPickupPoints', 'refused');
  const again = await api.get(path('points_double'));

  t.is(refused.status, 422);
  t.like(refused.body.error, { code: 'carrier_rejected', message: 'No contract for points.' });
  t.is(again.status, 200);
});

test.serial('wrong credentials are reported without the carrier’s words', async (t) => {
  await forget('points_double');
  double.next = [{ kind: 'unauthorized', text: 'token abc is wrong' }];

  const refused = await api.get(path('points_double'));

  t.is(refused.body.error.code, 'carrier_rejected');
  t.false(refused.text.includes('abc'));
  t.is((await api.get(path('points_double'))).status, 200);
});

test.serial('a copy that is too old is answered, and renewed behind the answer', async (t) => {
  await age('points_double', 'refreshed_at', 40);
  double.next = [{ kind: 'accepted', value: [spot('8')] }];

  const old = await api.get(path('points_double'));

  t.like(old.body.data, [{ id: '1' }]);
  await eventually(
    async () => (await api.get(path('points_double'))).body.data[0].id === '8',
    'the renewed copy',
  );
});

test.serial('of a copy that is days old the answer waits for a new one, or is the old one', async (t) => {
  await age('points_double', 'refreshed_at', 100);
  double.next = [{ kind: 'accepted', value: [spot('9')] }];

  const renewed = await api.get(path('points_double'));
  await age('points_double', 'refreshed_at', 100);
  double.next = [{ kind: 'rejected', code: '7', text: 'No contract for points.' }];
  const refused = await api.get(path('points_double'));

  t.like(renewed.body.data, [{ id: '9' }]);
  t.like(refused.body.data, [{ id: '9' }]);
});

test.serial('asking notes once a day that the copy is in use', async (t) => {
  await age('points_double', 'asked_at', 25);

  await api.get(path('points_double'));

  const [row] = await stack.db.select(
    'SELECT TIMESTAMPDIFF(SECOND, asked_at, NOW(6)) AS seconds FROM pickup_point_copies WHERE license_id = ?',
    [await licenseId('points_double')],
  );
  t.true(Number(row?.seconds) < 60);
});

test.serial('the daily renewal brings every copy up to date; one that fails stops no other', async (t) => {
  for (const provider of ['run', 'points_double']) await age(provider, 'refreshed_at', 24);
  await stack.sandbox.fault({ operation: 'points', kind: 'error_in_200', value: 1 });
  await ensureSchedules(stack.temporal, {
    providers: [],
    pollIntervalSeconds: 60,
    pickupProviders: ['run', 'points_double'],
  });
  const schedule = stack.temporal.schedule.getHandle(scheduleIds.refreshPickupPoints('points_double'));

  const failing = await renewAll('run');
  const renewed = await renewAll('points_double');
  await schedule.trigger();
  const ran = await eventually(async () => {
    const { info } = await schedule.describe();
    return info.recentActions.length > 0 && info;
  }, 'a run of the Schedule');

  t.deepEqual(failing.result, { renewed: 0, failed: 1 });
  t.deepEqual(renewed.result, { renewed: 1, failed: 0 });
  t.is(ran.recentActions.length, 1);
  t.is((await api.get(path('run'))).body.data.length, 3, 'the copy stays');
  await keepHistory(failing.handle, 'refreshPickupPoints', 'daily-failed');
  await keepHistory(renewed.handle, 'refreshPickupPoints', 'daily');
});

test.serial('a shipment to a point needs no address: the city is the point’s', async (t) => {
  const to = (pickup: string) =>
    api.create(
      shipmentBody(stack.account, 'run', { ship_data: { street: undefined, city: undefined, pickup } }),
    );

  const sent = await to('1001');
  const unknown = await to('9999');

  t.is(sent.status, 201, sent.text);
  t.is(sent.body.data.pickup_point_id, '1001');
  t.is(unknown.status, 422);
  t.deepEqual(Object.keys(unknown.body.error.fields), ['ship_data.pickup']);
});

test.serial('a carrier without pickup points says so', async (t) => {
  const answer = await api.get(path('independent'));

  t.is(answer.status, 422);
  t.is(answer.body.error.code, 'not_supported');
});

test.serial('without the engine the copy answers, and a first question is asked to retry', async (t) => {
  const { openTemporal } = await import('../../src/temporal/client.js');
  const away = openTemporal({ ...stack.config, temporalAddress: '127.0.0.1:1' });
  t.teardown(() => away.connection.close());
  const troubled = new ApiClient(await stack.startApi(undefined, {}, away), stack.account);
  await forget('points_double');

  const known = await troubled.get(path('run'));
  const unknown = await troubled.get(path('points_double'));

  t.is(known.status, 200);
  t.is(unknown.status, 503);
  t.truthy(unknown.headers.get('retry-after'));
});

async function registry(): Promise<readonly CarrierAdapter[]> {
  return (await import('../../src/carriers/registry.js')).allCarriers();
}

function path(provider: string, more = ''): string {
  return `/pickup-points?license_key=${stack.account.licenseKeys[provider]}${more}`;
}

function spot(id: string, name = 'Corner shop'): PickupPoint {
  const empty = { street: '', number: '', streetCode: '', latitude: '', longitude: '', remarks: '' };
  return { id, name, city: 'Haifa', ...empty };
}

async function licenseId(provider: string): Promise<number> {
  const [row] = await stack.db.select('SELECT id FROM licenses WHERE license_key = ?', [
    stack.account.licenseKeys[provider] ?? '',
  ]);
  return Number(row?.id);
}

async function forget(provider: string): Promise<void> {
  const id = await licenseId(provider);
  await stack.db.run('DELETE FROM pickup_points WHERE license_id = ?', [id]);
  await stack.db.run('DELETE FROM pickup_point_copies WHERE license_id = ?', [id]);
}

async function age(provider: string, column: 'refreshed_at' | 'asked_at', hours: number): Promise<void> {
  const id = await licenseId(provider);
  // A question that meets the run of an earlier one gets that run's list.
  await eventually(
    async () => !(await isWorkflowRunning(stack.temporal, workflowIds.refreshPickupPoints(id))),
    'the end of an earlier renewal',
  );
  await stack.db.run(
    `UPDATE pickup_point_copies SET ${column} = NOW(6) - INTERVAL ? HOUR WHERE license_id = ?`,
    [hours, id],
  );
}

async function renewAll(provider: string) {
  const handle = await stack.temporal.workflow.start('refreshPickupPoints', {
    taskQueue: 'shipments',
    workflowId: `renew-test-${provider}`,
    args: [{ provider, licenseId: null }],
  });
  return { handle, result: await handle.result() };
}
