import test from 'ava';
import { ApiClient, shipmentBody } from '../support/api-client.js';
import { carrierDouble } from '../support/carrier-double.js';
import { insertCarrierLicense } from '../support/carrier-licenses.js';
import { eventually } from '../support/conditions.js';
import { patient } from '../support/patience.js';
import { startStack } from '../support/stack.js';

/** Creations of the merchant who sends many at once, twelve seconds of the carrier's. */
const MANY = 60;
const PER_SECOND = 5;

test('POST /shipments: one merchant is not behind all that another sent at once to the same slow carrier', async (t) => {
  t.timeout(patient(120_000));
  const slow = carrierDouble('slow');
  const limits = { requestsPerSecond: PER_SECOND, concurrency: PER_SECOND, settleMs: 0 };
  const stack = await startStack({ doubles: [{ ...slow.adapter, limits }] });
  t.teardown(() => stack.close());
  await stack.startWorkers();
  const api = new ApiClient(await stack.startApi(undefined, { createWaitMs: 60_000 }), stack.account);
  const baseUrl = 'http://127.0.0.1';
  const other = await insertCarrierLicense(stack, { accountId: stack.account.id, provider: 'slow', baseUrl });
  /** A busy machine may refuse first: then it is sent again, as callers do. */
  const create = async (body: object) =>
    await eventually(async () => {
      const answer = await api.post('/shipments', body);
      return answer.status !== 503 && answer;
    }, 'an answer');

  const many = Array.from({ length: MANY }, () => create(shipmentBody(stack.account, 'slow')));
  await eventually(() => slow.told.length >= PER_SECOND, 'first bookings of the many');
  const before = slow.told.length;
  const one = await create({ ...shipmentBody(stack.account, 'slow'), license_key: other.key });
  const place = slow.booked.indexOf(one.body.data?.uuid);
  const answers = await Promise.all(many);

  t.is(one.status, 201, one.text);
  t.deepEqual([...new Set(answers.map(({ status }) => status))], [201]);
  const words = `${place - before} of ${MANY - before} were booked before it`;
  t.log(words);
  // Those that the worker and the engine's matching have taken already stay before it.
  t.true(place - before < (MANY - before) * 0.7, words);
});
