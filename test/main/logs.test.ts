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

test.before(async () => {
  stack = await startStack();
  cleanUps.teardown(() => stack.close());
});
test.after.always(() => cleanUps.end());

test('a booking that fails and is tried again: both processes name the parcel, and nobody', async (t) => {
  const worker = await startWorkerProcess(cleanUps, stack, { LOG_LEVEL });
  const { client, process } = await startApiProcess(cleanUps, stack, { LOG_LEVEL });
  await stack.sandbox.fault({ operation: 'book', kind: 'status', value: 429, times: 2 });
  const body = shipmentBody(stack.account, 'run');

  const created = await client.create(body);
  const gone = await client.create({ ...body, ship_data: {} }, 'invalid');

  t.deepEqual([created.status, gone.status], [201, 422], created.text);
  const { uuid } = created.body.data;
  const failed = await linesOf(worker.logFile, 'Activity failed');
  t.like(failed[0]?.engine, {
    activityType: 'book',
    attempt: 1,
    shipment: uuid,
    orderNumber: body.order.id,
    reason: 'CarrierUnavailable: The carrier answered HTTP 429.',
  });
  const completed = await linesOf(process.logFile, 'request completed');
  const creation = completed.find(({ route }) => route === 'POST /shipments');
  t.is(creation?.shipment, uuid);
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

/** The log lines with this message, once there is one. */
async function linesOf(file: string, msg: string): Promise<any[]> {
  return await eventually(() => {
    const lines = readFileSync(file, 'utf8').split('\n');
    const found = lines.filter((line) => line.startsWith('{')).map((line) => JSON.parse(line));
    const wanted = found.filter((line) => line.msg === msg);
    return wanted.length > 0 && wanted;
  }, `a line with ${msg}`);
}
