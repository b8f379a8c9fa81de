import test from 'ava';
import { type ApiClient, shipmentBody } from '../support/api-client.js';
import { CleanUps } from '../support/clean-ups.js';
import { eventually } from '../support/conditions.js';
import type { HttpAnswer } from '../support/http-send.js';
import { type Remembered, violations } from '../support/invariants.js';
import { startApiProcess, startWorkerProcess } from '../support/processes.js';
import { startStack, type TestStack } from '../support/stack.js';

const SAME_KEY = 200;
const KEYS = Number(process.env.E2E_KEYS ?? 200);
const AT_ONCE = 64;
const CARRIER_MS = 300;

let stack: TestStack;
let clients: ApiClient[];
const cleanUps = new CleanUps();

test.before(async () => {
  // A slow machine takes longer than callers are kept waiting otherwise.
  stack = await startStack({ env: { CREATE_WAIT_MS: '90000' } });
  cleanUps.teardown(() => stack.close());
  const [one, two] = await Promise.all([
    startApiProcess(cleanUps, stack),
    startApiProcess(cleanUps, stack),
    startWorkerProcess(cleanUps, stack),
    startWorkerProcess(cleanUps, stack),
  ]);
  clients = [one.client, two.client];
});

test.after.always(() => cleanUps.end());

test.serial(`${SAME_KEY} requests at once with one key make one shipment`, async (t) => {
  const body = shipmentBody(stack.account, 'run');

  const answers = await Promise.all(
    Array.from({ length: SAME_KEY }, (_, index) => create(index, body, 'one-key')),
  );

  t.deepEqual([...new Set(answers.map(({ status }) => status))], [201]);
  const texts = new Set(answers.map(({ text }) => text));
  t.is(texts.size, 1);
  const [text = ''] = texts;
  const ledger = await stack.sandbox.ledger();
  t.deepEqual(
    ledger.map((one) => [one.reference, one.requests]),
    [[JSON.parse(text).data.uuid, 1]],
  );
  const remembered = [{ key: 'one-key', body, status: 201, text }];
  t.deepEqual(await violations(stack, anyClient(), remembered), []);
});

test.serial(`${SAME_KEY} requests at once without a key and with one body make one shipment`, async (t) => {
  const body = shipmentBody(stack.account, 'run');
  const before = (await stack.sandbox.ledger()).length;

  const answers = await Promise.all(
    Array.from({ length: SAME_KEY }, (_, index) => create(index, body, undefined)),
  );

  t.deepEqual([...new Set(answers.map(({ status }) => status))], [201]);
  t.is(new Set(answers.map(({ text }) => text)).size, 1);
  t.is((await stack.sandbox.ledger()).length, before + 1);
});

test.serial(`${KEYS} keys, ${AT_ONCE} at once, a slow carrier: none is lost`, async (t) => {
  await stack.sandbox.fault({ operation: 'book', kind: 'latency', value: CARRIER_MS, times: 0 });
  t.teardown(() => stack.sandbox.fault({ kind: 'none' }));
  const before = (await stack.sandbox.ledger()).length;
  const startedAt = Date.now();
  const remembered: Remembered[] = [];
  let next = 0;

  const client = async () => {
    while (next < KEYS) {
      const index = next;
      next += 1;
      const key = `key-${index}`;
      const body = shipmentBody(stack.account, 'run');
      // As callers do when asked to retry: a slow machine has its workers fall behind.
      const { status, text } = await eventually(
        async () => {
          const answer = await create(index, body, key);
          return answer.status !== 503 && answer;
        },
        'the creation to be taken',
        120_000,
      );
      remembered.push({ key, body, status, text });
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, client));
  const tookMs = Date.now() - startedAt;

  t.deepEqual([...new Set(remembered.map(({ status }) => status))], [201]);
  t.is(remembered.length, KEYS);
  t.is((await stack.sandbox.ledger()).length, before + KEYS);
  t.deepEqual(await violations(stack, anyClient(), remembered), []);
  t.log(`${KEYS} creations in ${tookMs} ms`);
});

/** Sends to the APIs in turn. */
async function create(turn: number, body: unknown, key: string | undefined): Promise<HttpAnswer> {
  const client = clients[turn % clients.length];
  if (client === undefined) throw new Error('no API runs');
  return await client.create(body, key);
}

function anyClient(): ApiClient {
  const [client] = clients;
  if (client === undefined) throw new Error('no API runs');
  return client;
}
