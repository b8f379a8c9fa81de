import { readFileSync } from 'node:fs';
import test from 'ava';
import { shipmentBody } from '../support/api-client.js';
import { CleanUps } from '../support/clean-ups.js';
import { eventually } from '../support/conditions.js';
import { startApiProcess, startWorkerProcess } from '../support/processes.js';
import { startStack, type TestStack } from '../support/stack.js';

const cleanUps = new CleanUps();
const LOG_LEVEL = 'info';
let stack: TestStack;
let worker: Awaited<ReturnType<typeof startWorkerProcess>>;
let api: Awaited<ReturnType<typeof startApiProcess>>;

test.before(async () => {
  stack = await startStack();
  cleanUps.teardown(() => stack.close());
  worker = await startWorkerProcess(cleanUps, stack, { LOG_LEVEL });
  api = await startApiProcess(cleanUps, stack, { LOG_LEVEL });
});
test.after.always(() => cleanUps.end());

test.serial('logs: a retried booking names the parcel in both processes, and no person', async (t) => {
  const { client, process } = api;
  await stack.sandbox.fault({ operation: 'book', kind: 'status', value: 429, times: 2 });
  const body = shipmentBody(stack.account, 'run');

  const created = await client.post('/shipments', body, { 'x-request-id': 'shop-4711' });
  const gone = await client.create({ ...body, ship_data: {} }, 'invalid');

  t.deepEqual([created.status, gone.status], [201, 422], created.text);
  const { uuid } = created.body.data;
  const failed = await linesOf(worker.logFile, 'Activity failed');
  t.like(failed[0]?.engine, {
    activityType: 'book',
    attempt: 1,
    requestId: 'shop-4711',
    shipment: uuid,
    orderNumber: body.order.id,
    reason: 'CarrierUnavailable: The carrier answered HTTP 429.',
  });
  t.is(failed[0]?.level, 'warn');
  const creation = await eventually(async () => {
    const completed = await linesOf(process.logFile, 'request completed');
    return completed.find(({ requestId }) => requestId === 'shop-4711') ?? false;
  }, 'the line of the creation');
  t.like(creation, { route: 'POST /shipments', shipment: uuid, level: 'info' });
  t.notRegex(readFileSync(worker.logFile, 'utf8'), /Worker state changed|No Nexus/);
  for (const { logFile } of [worker, process]) {
    const text = readFileSync(logFile, 'utf8');
    for (const line of text.split('\n')) t.true(line.split('"requestId"').length <= 2, line);
    for (const secret of [
      body.ship_data.contact_name,
      body.ship_data.contact_phone,
      stack.account.clientSecret,
    ]) {
      t.false(text.includes(secret), secret);
    }
  }
});

test.serial("logs: a refused creation logs the kind of failure, not the carrier's text", async (t) => {
  await stack.sandbox.fault({ operation: 'book', kind: 'error_in_200', value: 100 });

  const body = shipmentBody(stack.account, 'run');
  const refused = await api.client.post('/shipments', body, { 'x-request-id': 'someone@shop.example' });

  t.is(refused.status, 422, refused.text);
  const [failed] = await linesOf(worker.logFile, 'Workflow failed');
  t.like(failed?.engine, { workflowType: 'createShipment', reason: 'CarrierRejected' });
  // It may name a person, and the engine would keep it in clear.
  t.false('requestId' in failed.engine);
  t.false(readFileSync(worker.logFile, 'utf8').includes(refused.body.error.message));
});

/** The log lines with this message, once there is one. */
async function linesOf(file: string, msg: string): Promise<any[]> {
  return await eventually(() => {
    const lines = readFileSync(file, 'utf8').split('\n');
    const found = lines.filter((line) => line.startsWith('{')).map((line) => JSON.parse(line));
    const wanted = found.filter((line) => line.msg === msg);
    return wanted.length > 0 && wanted;
  }, `a line with ${msg}`);
}
