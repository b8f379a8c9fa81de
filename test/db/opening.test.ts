import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import test, { type ExecutionContext } from 'ava';
import { isUnavailable, openDatabase } from '../../src/db/database.js';
import { createTestDatabase } from '../support/database.js';
import { patient } from '../support/patience.js';

/** More than a client sends until its first statement is answered. */
const PACKETS = 20;

const database = await createTestDatabase();
test.after.always(() => database.drop());

/** The outcome of a first transaction behind such a way; an error is asserted to be an outage. */
async function outcomeBehind(t: ExecutionContext, way: { at: number; silent: boolean }) {
  const db = await behindWay(t, way);
  const error: unknown = await db
    .transaction((tx) => tx.select('SELECT 1'))
    .then(
      () => null,
      (thrown: unknown) => thrown,
    );
  if (error !== null) t.true(isUnavailable(error), `packet ${way.at}: ${error}`);
  return error === null ? 'answered' : 'unavailable';
}

/** A database behind a way that ends, or falls silent, at the client's packet of this number. */
async function behindWay(t: ExecutionContext, { at, silent }: { at: number; silent: boolean }) {
  let packets = 0;
  const server = createServer((client) => {
    const behind = connect(Number(new URL(database.url).port), '127.0.0.1');
    client.on('data', (data) => {
      packets += 1;
      if (packets === at && !silent) client.destroy();
      else if (packets < at || !silent) behind.write(data);
    });
    behind.on('data', (data) => client.write(data));
    for (const [one, other] of [
      [client, behind],
      [behind, client],
    ] as const) {
      one.on('error', () => undefined);
      one.on('close', () => other.destroy());
    }
  });
  const sockets = new Set<Socket>();
  server.on('connection', (client) => sockets.add(client));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const url = new URL(database.url);
  url.port = String((server.address() as AddressInfo).port);
  const db = openDatabase({ url: String(url), poolSize: 1, statementTimeoutMs: 2000 });
  t.teardown(() => db.close());
  // Before the pools are closed: a silent server would not say goodbye.
  t.teardown(() => {
    server.close();
    for (const client of sockets) client.destroy();
  });
  return db;
}

test('a connection that ends while it is opened, at whichever packet, is unavailable', async (t) => {
  const outcomes: string[] = [];
  for (let at = 1; at <= PACKETS; at += 1) outcomes.push(await outcomeBehind(t, { at, silent: false }));

  t.deepEqual([outcomes[0], outcomes.at(-1)], ['unavailable', 'answered']);
});

test('a server that falls silent while a connection is opened, at whichever packet, is given up', async (t) => {
  t.timeout(patient(60_000));
  const outcomes = await Promise.all(
    Array.from({ length: PACKETS }, (_, index) => outcomeBehind(t, { at: index + 1, silent: true })),
  );

  t.deepEqual([outcomes[0], outcomes.at(-1)], ['unavailable', 'answered']);
});
