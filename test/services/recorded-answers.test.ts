import { randomUUID } from 'node:crypto';
import type { Client } from '@temporalio/client';
import test from 'ava';
import { RecordedAnswers } from '../../src/services/creation/recorded-answers.js';
import { ApiClient, shipmentBody } from '../support/api-client.js';
import { eventually } from '../support/conditions.js';
import { startStack } from '../support/stack.js';

const answerOf = (shipmentUuid: string) => ({ shipmentUuid, fingerprint: 'f', status: 201, body: '{}' });

/** Answers controlled by `record`, and the recorded queries. */
function store() {
  const recorded = new Set<string>();
  const asked: string[][] = [];
  const find = async (uuids: readonly string[]) => {
    asked.push([...uuids]);
    return uuids.filter((uuid) => recorded.has(uuid)).map(answerOf);
  };
  return { asked, record: (uuid: string) => void recorded.add(uuid), answers: new RecordedAnswers(find) };
}

test('POST /shipments: answers when the answer is recorded, even if the run never ends', async (t) => {
  const stack = await startStack();
  t.teardown(() => stack.close());
  await stack.startWorkers();
  const client = withEndlessRuns(stack.temporal);
  const api = new ApiClient(await stack.startApi(undefined, { createWaitMs: 20_000 }, client), stack.account);
  const body = shipmentBody(stack.account, 'run');

  const created = await api.create(body, 'endless');
  const again = await api.create(body, 'endless');

  t.is(created.status, 201, created.text);
  t.is(created.headers.get('idempotent-replayed'), null);
  t.deepEqual([again.status, again.text], [201, created.text]);
  t.is(again.headers.get('idempotent-replayed'), 'true');
});

/** A client whose runs never end. */
function withEndlessRuns(client: Client): Client {
  const start = async (...args: Parameters<Client['workflow']['start']>) => {
    const handle = await client.workflow.start(...args);
    return { ...handle, result: () => new Promise(() => undefined) };
  };
  const workflow = Object.create(client.workflow, { start: { value: start } });
  return Object.create(client, { workflow: { value: workflow } });
}

test('RecordedAnswers: one query serves all waiting creations', async (t) => {
  const { asked, record, answers } = store();
  const [one, other, gone] = [randomUUID(), randomUUID(), randomUUID()];
  const leaves = new AbortController();
  const waiting = new AbortController();
  t.teardown(() => waiting.abort());

  const told = answers.wait(one, 'run', waiting.signal);
  void answers.wait(other, 'run', waiting.signal);
  void answers.wait(gone, 'run', leaves.signal);
  await eventually(() => asked.some((uuids) => uuids.length === 3), 'a look for all of them');
  leaves.abort();
  record(one);
  const answer = await told;
  const before = asked.length;
  await eventually(() => asked.length > before, 'a look after that');

  t.deepEqual(answer, answerOf(one));
  t.deepEqual(asked.at(-1), [other]);
});

test('RecordedAnswers: a failed look is repeated', async (t) => {
  let looks = 0;
  const uuid = randomUUID();
  const answers = new RecordedAnswers(async () => {
    looks += 1;
    if (looks === 1) throw new Error('MySQL is away');
    return [answerOf(uuid)];
  });

  const answer = await answers.wait(uuid, 'run', new AbortController().signal);

  t.is(answer.shipmentUuid, uuid);
  t.is(looks, 2);
});

test("RecordedAnswers: looks a few times, around the carrier's usual answer time", async (t) => {
  const { asked, record, answers } = store();
  // The looks do not keep the process alive.
  const alive = setInterval(() => undefined, 1000);
  t.teardown(() => clearInterval(alive));
  const slowly = async (carrier: string, tookMs: number) => {
    const uuid = randomUUID();
    const since = performance.now();
    const told = answers.wait(uuid, carrier, new AbortController().signal);
    await eventually(() => performance.now() - since >= tookMs, 'the answer');
    record(uuid);
    await told;
    return uuid;
  };
  for (let round = 0; round < 30; round += 1) await slowly('slow', 200);
  asked.length = 0;

  const slow = await slowly('slow', 200);

  const looks = asked.filter((uuids) => uuids.includes(slow)).length;
  t.true(looks >= 1 && looks <= 6, `${looks} looks`);
});
