import test from 'ava';
import { CleanUps } from '../../support/clean-ups.js';
import { eventually } from '../../support/conditions.js';
import { send } from '../../support/http-send.js';
import { startApiProcess } from '../../support/processes.js';
import { startStack, type TestStack } from '../../support/stack.js';
import { JSON_HEADERS } from '../../support/v1.js';

const REQUESTS = 70;
const ROUTE = 'POST /api/shipping/get_order_details';

const owner = new CleanUps();
let stack: TestStack;

test.before(async () => {
  stack = await startStack();
  owner.teardown(() => stack.close());
});
test.after.always(() => owner.end());

/** Whether something listens at the address. */
const listens = (url: string) =>
  fetch(`${url}/health/live`).then(
    () => true,
    () => false,
  );

test('a stopping API writes every answer that it gave before it ends', async (t) => {
  const { process, url } = await startApiProcess(owner, stack);
  const kept = async () => {
    const [row] = await stack.db.select('SELECT COUNT(*) AS count FROM response_logs WHERE route = ?', [
      ROUTE,
    ]);
    return Number(row?.count);
  };
  const ask = () =>
    send(`${url}/api/shipping/get_order_details`, 'POST', {
      headers: JSON_HEADERS,
      json: { license_key: stack.account.licenseKeys.run, domain: 'shop.test', shipping_id: 'nothing' },
    });

  const stopped = await stack.db.session(async (session) => {
    // Nothing can be written while this holds.
    await session.run('LOCK TABLES response_logs WRITE');
    const statuses = await Promise.all(Array.from({ length: REQUESTS }, async () => (await ask()).status));
    t.deepEqual([...new Set(statuses)], [404]);
    const [row] = await session.select('SELECT COUNT(*) AS count FROM response_logs');
    t.is(Number(row?.count), 0);
    const end = process.stop();
    await eventually(async () => !(await listens(url)), 'the API to take no more requests');
    t.true(process.isRunning);
    await session.run('UNLOCK TABLES');
    return { code: await end };
  });

  t.is(stopped.code, 0, process.log);
  t.is(await kept(), REQUESTS);
});
