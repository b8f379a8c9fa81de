import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import test, { type ExecutionContext } from 'ava';
import { eventually } from '../../support/conditions.js';
import { startTcpLink } from '../../support/tcp-link.js';

const A_MOMENT_MS = 100;

/** A client of a server behind a link, and what has arrived at each of them. */
async function startPair(t: ExecutionContext) {
  const sockets: Socket[] = [];
  const atServer: string[] = [];
  const server = createServer((socket) => {
    sockets.push(socket);
    socket.on('error', () => undefined);
    socket.on('data', (data) => atServer.push(String(data)));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  t.teardown(() => server.close());
  const link = await startTcpLink(t, (server.address() as AddressInfo).port);
  const client = connect(link.port, '127.0.0.1');
  t.teardown(() => client.destroy());
  const atClient: string[] = [];
  client.on('data', (data) => atClient.push(String(data)));
  client.on('error', () => undefined);
  const answers = await eventually(() => sockets[0], 'the connection');
  return { link, client, answers, atServer, atClient };
}

test('cut: requests are held back, answers pass, and what was held passes later', async (t) => {
  const { link, client, answers, atServer, atClient } = await startPair(t);

  link.cut('requests');
  client.write('asked');
  answers.write('answered');
  await eventually(() => atClient.length > 0, 'the answer');
  await delay(A_MOMENT_MS);
  const before = [...atServer];
  link.heal('resume');
  await eventually(() => atServer.length > 0, 'the request');

  t.deepEqual(before, []);
  t.deepEqual(atServer, ['asked']);
  t.deepEqual(atClient, ['answered']);
});

test('cut: answers are held back, requests pass, and a reset loses what was held', async (t) => {
  const { link, client, answers, atServer, atClient } = await startPair(t);

  link.cut('answers');
  client.write('asked');
  await eventually(() => atServer.length > 0, 'the request');
  answers.write('answered');
  await delay(A_MOMENT_MS);
  link.heal('reset');
  await once(client, 'close');

  t.deepEqual(atClient, []);
});

test('cut: a connection that ends meanwhile is not seen to end before the way is healed', async (t) => {
  const { link, client, answers } = await startPair(t);

  link.cut('answers');
  answers.destroy();
  await delay(A_MOMENT_MS);
  const wasClosed = client.closed;
  link.heal('resume');
  await once(client, 'close');

  t.false(wasClosed);
});
