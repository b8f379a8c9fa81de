import test from 'ava';
import { workflowIds } from '../../src/contracts/ids.js';
import { stateOfRun } from '../../src/temporal/run-state.js';
import { type ApiClient, shipmentBody } from '../support/api-client.js';
import { CleanUps } from '../support/clean-ups.js';
import { eventually } from '../support/conditions.js';
import { withEmptyEngine } from '../support/other-engine.js';
import { patient } from '../support/patience.js';
import { startApiProcess, startWorkerProcess } from '../support/processes.js';
import { startStack, type TestStack } from '../support/stack.js';
import { acceptMany, allParcels, answerTooLate, countsOf, endsWell, reconcileBy } from './way-back.js';

const CREATIONS = Number(process.env.FAULT_CREATIONS ?? 200);
const FORGOTTEN = 'creation without a run';

const owner = new CleanUps();
test.after.always(() => owner.end());

test.serial('the engine is lost with creations under way: each accepted one is booked, once', async (t) => {
  t.timeout(patient(600_000));
  const stack = await startStack();
  owner.teardown(() => stack.close());
  const api = await startApiProcess(owner, stack, { CREATE_WAIT_MS: '300' });
  const worker = await startWorkerProcess(owner, stack);
  t.teardown(() => {
    if (!t.passed) t.log(worker.log, api.process.log);
  });
  const answersAgain = await answerTooLate(stack);
  const accepted = await acceptMany(stack, api.client, CREATIONS);
  const side = await startSideWork(stack, api.client);
  await Promise.all([worker.kill9(), api.process.kill9()]);
  await answersAgain();
  const [row] = await stack.db.select("SELECT COUNT(*) AS open FROM shipments WHERE state = 'reserved'");
  const open = Number(row?.open);
  const booked = (await allParcels(stack)).length;

  const after = await withEmptyEngine(owner, stack);
  const found = await reconcileBy(after);
  const applied = await reconcileBy(after, '--apply');
  const again = await reconcileBy(after, '--apply');
  await startWorkerProcess(owner, after);
  const { client } = await startApiProcess(owner, after);

  t.log(`${open} under way, ${booked} parcels at the carriers; ${JSON.stringify(countsOf(found))}`);
  t.true(open >= CREATIONS / 2, `${open} under way`);
  t.is(found.code, 1);
  t.is(countsOf(found)[FORGOTTEN], open);
  t.is(countsOf(applied)[FORGOTTEN], open);
  t.is(countsOf(again)[FORGOTTEN], undefined);
  t.is(countsOf(found)['export without a run'], 1);
  t.is(await stateOfRun(after.temporal, side.exportRun), 'open');
  await eventually(async () => (await pendingOf(client, side.batch)) === 0, 'the batch', 120_000);
  await endsWell(t, after, client, accepted);
});

/** A batch, and an export that no mail server takes. */
async function startSideWork({ account, db }: TestStack, client: ApiClient) {
  const license_key = account.licenseKeys.run;
  const shipments = [1, 2, 3].map(() => shipmentBody(account, 'run'));
  const batch = await client.post('/batches', { license_key, shipments });
  const made = await client.post('/exports', { license_key });
  if (batch.status !== 202 || made.status !== 202) throw new Error(`${batch.text} ${made.text}`);
  // Younger ones may still be on their way to the engine.
  await db.run('UPDATE exports SET created_at = NOW(6) - INTERVAL 2 MINUTE');
  const licenseId = Number(account.licenseIds.run);
  const exportRun = workflowIds.exportShipments({ accountId: account.id, licenseId });
  return { batch: String(batch.body.data.id), exportRun };
}

async function pendingOf(client: ApiClient, batch: string): Promise<number> {
  return (await client.get(`/batches/${batch}`)).body.data.summary.pending;
}
