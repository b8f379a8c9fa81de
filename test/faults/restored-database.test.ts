import { join } from 'node:path';
import test from 'ava';
import { shipmentBody } from '../support/api-client.js';
import { CleanUps } from '../support/clean-ups.js';
import { eventually } from '../support/conditions.js';
import { dumpTo, findDumper, restoreFrom } from '../support/dumps.js';
import { withEmptyEngine } from '../support/other-engine.js';
import { patient } from '../support/patience.js';
import { startApiProcess, startWorkerProcess, temporaryFolder } from '../support/processes.js';
import { startStack, type TestStack } from '../support/stack.js';
import {
  type Accepted,
  acceptMany,
  allParcels,
  answerTooLate,
  countsOf,
  endsWell,
  reconcileBy,
} from './way-back.js';

const BEFORE = 24;
const SINCE = Number(process.env.FAULT_CREATIONS ?? 80);

const dumper = (await findDumper()) ?? '';
/** Skipped where there is no mysqldump. */
const dumpTest = dumper === '' ? test.serial.skip : test.serial;
const owner = new CleanUps();
test.after.always(() => owner.end());

dumpTest('MySQL is restored to a dump: what came since is written again from its runs', async (t) => {
  t.timeout(patient(600_000));
  const stack = await startStack();
  owner.teardown(() => stack.close());
  const api = await startApiProcess(owner, stack, { CREATE_WAIT_MS: '5000' });
  const worker = await startWorkerProcess(owner, stack);
  t.teardown(() => {
    if (!t.passed) t.log(worker.log, api.process.log);
  });
  const early = await acceptMany(stack, api.client, BEFORE);
  const file = join(temporaryFolder(owner), 'dump.sql');
  await dumpTo(file, dumper, stack.config.databaseUrl);
  const late = await acceptMany(stack, api.client, SINCE);
  const cancelled = [cancellable(early), cancellable(late)];
  for (const { uuid } of cancelled) {
    t.is((await api.client.post(`/shipments/${uuid}/cancel`, {})).status, 200);
  }
  const batch = {
    license_key: stack.account.licenseKeys.run,
    shipments: [1, 2, 3].map(() => shipmentBody(stack.account, 'run')),
  };
  const sendBatch = () => api.client.post('/batches', batch, { 'idempotency-key': 'lost-batch' });
  const { data: sent } = (await sendBatch()).body;
  await eventually(async () => {
    const { data } = (await api.client.get(`/batches/${sent.id}`)).body;
    return data.summary.created === 3;
  }, 'the items of the batch');
  const answersAgain = await answerTooLate(stack);
  const open = await acceptMany(stack, api.client, 12);
  await Promise.all([worker.kill9(), api.process.kill9()]);
  await answersAgain();
  await restoreFrom(file, stack.config.databaseUrl);
  const accepted = [...early, ...late, ...open];

  const found = await reconcileBy(stack);
  const unknown = await unknownOf(stack, accepted);
  const applied = await reconcileBy(stack, '--apply');
  const left = await unknownOf(stack, accepted);
  const again = await reconcileBy(stack, '--apply');

  t.log(JSON.stringify({ found: countsOf(found), applied: countsOf(applied), again: countsOf(again) }));
  t.is(found.code, 1);
  t.true(unknown.length >= SINCE, `${unknown.length} lost`);
  t.deepEqual(left, []);
  t.is(countsOf(found)['cancellation without rows'], 1);
  t.is(countsOf(again)['shipment, or its end, without rows'], undefined);
  t.is(again.findings.find(({ kind }) => kind === 'batch without rows')?.reference, sent.id);
  await startWorkerProcess(owner, stack);
  await api.process.start();
  t.is((await sendBatch()).body.data.id, sent.id);
  for (const { uuid } of cancelled) {
    t.is((await api.client.get(`/shipments/${uuid}`)).body.data.status.code, 'cancelled');
  }
  await endsWell(t, stack, api.client, accepted);
});

dumpTest('both stores are older than what was sent: carriers are looked at before anything is', async (t) => {
  t.timeout(patient(600_000));
  const stack = await startStack();
  owner.teardown(() => stack.close());
  const api = await startApiProcess(owner, stack, { CREATE_WAIT_MS: '300' });
  // It reserves, and calls no carrier.
  const reserving = await startWorkerProcess(owner, stack, { WORKER_QUEUES: 'shipments' });
  const accepted = await acceptMany(stack, api.client, 24);
  const file = join(temporaryFolder(owner), 'dump.sql');
  await dumpTo(file, dumper, stack.config.databaseUrl);
  const booking = await startWorkerProcess(owner, stack);
  await eventually(
    async () => (await allParcels(stack)).length === accepted.length,
    'every parcel at its carrier',
    90_000,
  );
  await Promise.all([reserving.kill9(), booking.kill9(), api.process.kill9()]);
  await restoreFrom(file, stack.config.databaseUrl);

  const after = await withEmptyEngine(owner, stack);
  const applied = await reconcileBy(after, '--apply', '--both-older');
  await startWorkerProcess(owner, after);
  const { client } = await startApiProcess(owner, after);

  t.is(countsOf(applied)['creation whose calls may be lost'], accepted.length);
  await endsWell(t, after, client, accepted);
});

/** One that `run` has booked, which takes cancellations. */
function cancellable(accepted: readonly Accepted[]): Accepted {
  const found = accepted.find(({ body, code }) => code !== null && JSON.stringify(body).includes('lic-run'));
  if (found === undefined) throw new Error('run has booked none');
  return found;
}

/** Accepted creations of which MySQL has no row. */
async function unknownOf({ db }: TestStack, accepted: readonly Accepted[]): Promise<string[]> {
  const known = new Set((await db.select('SELECT uuid FROM shipments')).map(({ uuid }) => String(uuid)));
  return accepted.map(({ uuid }) => uuid).filter((uuid) => !known.has(uuid));
}
