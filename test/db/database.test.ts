import type { Socket } from 'node:net';
import test from 'ava';
import { createConnection } from 'mysql2';
import { send } from '../../src/db/connection.js';
import { type Executor, isDuplicateKey, isUnavailable, openDatabase } from '../../src/db/database.js';
import { toDatabaseError } from '../../src/db/errors.js';
import { bool, bytes, int, iso, json, text } from '../../src/db/row.js';
import { isoToSql, nowIso } from '../../src/lib/time.js';
import { run } from '../../tools/launcher/run.js';
import { eventually } from '../support/conditions.js';
import { createTestDatabase } from '../support/database.js';

const database = await createTestDatabase();
await database.db.run('CREATE TABLE pairs (id INT PRIMARY KEY, value INT NOT NULL) ENGINE=InnoDB');
await database.db.run(`CREATE TABLE kinds (id INT AUTO_INCREMENT PRIMARY KEY, at DATETIME(6), price DECIMAL(14,2),
  flag BOOLEAN, doc JSON, raw VARBINARY(64), name VARCHAR(64)) ENGINE=InnoDB CHARACTER SET utf8mb4 COLLATE utf8mb4_bin`);
test.after.always(() => database.drop());

/** Resolves once both callers have arrived, so that two transactions hold their first locks. */
function meetingPoint(parties: number): () => Promise<void> {
  let open = () => {};
  const opened = new Promise<void>((resolve) => {
    open = resolve;
  });
  let arrived = 0;
  return () => {
    arrived += 1;
    if (arrived >= parties) open();
    return opened;
  };
}

test('every kind of value comes back as it went in, times to the microsecond', async (t) => {
  const at = nowIso();
  const name = 'a\'b"c\\d;-- ? שלום 😀';
  const { insertId } = await database.db.run(
    'INSERT INTO kinds (at, price, flag, doc, raw, name) VALUES (?, ?, ?, ?, ?, ?)',
    [isoToSql(at), '12.30', true, '{"a":["x",null]}', Buffer.from([0, 255, 39]), name],
  );

  const [row] = await database.db.select('SELECT * FROM kinds WHERE id = ? AND at = ? AND name = ?', [
    insertId,
    isoToSql(at),
    name,
  ]);

  t.truthy(row);
  if (row === undefined) return;
  t.is(iso(row, 'at'), at);
  t.is(text(row, 'price'), '12.30');
  t.true(bool(row, 'flag'));
  t.deepEqual(json(row, 'doc'), { a: ['x', null] });
  t.deepEqual(bytes(row, 'raw'), Buffer.from([0, 255, 39]));
  t.is(text(row, 'name'), name);
  t.is(int(row, 'id'), insertId);
  t.throws(() => int(row, 'name'), {
    instanceOf: TypeError,
    message: 'Column name is not an integer but string.',
  });
  t.throws(() => text(row, 'missing'), { instanceOf: TypeError });
});

test('a session is UTC, strict and READ COMMITTED', async (t) => {
  const rows = await database.db.select(`SELECT @@session.time_zone AS zone, @@session.sql_mode AS mode,
    @@character_set_connection AS charset`);
  const isolation = await database.db.select(
    "SHOW VARIABLES WHERE Variable_name IN ('tx_isolation', 'transaction_isolation')",
  );

  t.like(rows[0], { zone: '+00:00', charset: 'utf8mb4' });
  t.regex(String(rows[0]?.mode), /STRICT_ALL_TABLES/);
  t.is(isolation[0]?.Value, 'READ-COMMITTED');
  await t.throwsAsync(database.db.run('INSERT INTO kinds (name) VALUES (?)', ['x'.repeat(65)]), {
    message: /ER_DATA_TOO_LONG/,
  });
});

test('a session has no isolated snapshots where the server begins with them', async (t) => {
  const isolation = 'innodb_snapshot_isolation';
  const asked = `SHOW GLOBAL VARIABLES LIKE '${isolation}'`;
  const [before] = await database.db.select(asked);
  if (before === undefined) {
    t.log('skipped: MariaDB alone has them');
    return t.pass();
  }
  await database.db.run(`SET GLOBAL ${isolation} = 1`);
  t.teardown(() => database.db.run(`SET GLOBAL ${isolation} = ${String(before.Value)}`));
  const db = openDatabase({ url: database.url, poolSize: 1 });
  t.teardown(() => db.close());
  const ofSession = (executor: Executor) => executor.select(`SELECT @@SESSION.${isolation} AS is_on`);

  const alone = await ofSession(db);
  const within = await db.transaction(ofSession);

  t.deepEqual([Number(alone[0]?.is_on), Number(within[0]?.is_on)], [0, 0]);
});

test('a transaction sends nothing beside its own statements and COMMIT', async (t) => {
  const sent: string[] = [];
  const db = openDatabase({ url: database.url, poolSize: 1, onQuery: (sql) => sent.push(sql) });
  t.teardown(() => db.close());

  await db.transaction((tx) => tx.run('INSERT INTO pairs VALUES (?, ?)', [100, 1]));
  await db.select('SELECT value FROM pairs WHERE id = 100');

  t.deepEqual(sent, ['INSERT INTO pairs VALUES (?, ?)', 'COMMIT', 'SELECT value FROM pairs WHERE id = 100']);
});

test('a transaction is seen by nobody before its COMMIT, and a statement on its own at once', async (t) => {
  const { db } = database;
  const other = openDatabase({ url: database.url, poolSize: 1 });
  t.teardown(() => other.close());
  const seen = async (id: number) => (await other.select('SELECT 1 FROM pairs WHERE id = ?', [id])).length;

  await db.transaction(async (tx) => {
    await tx.run('INSERT INTO pairs VALUES (150, 1)');
    t.is(await seen(150), 0);
  });
  await db.run('INSERT INTO pairs VALUES (151, 1)');

  t.deepEqual([await seen(150), await seen(151)], [1, 1]);
});

test('a failing transaction leaves nothing behind and its connection is used again', async (t) => {
  const db = openDatabase({ url: database.url, poolSize: 1 });
  t.teardown(() => db.close());

  await t.throwsAsync(
    db.transaction(async (tx) => {
      await tx.run('INSERT INTO pairs VALUES (200, 1)');
      throw new Error('refused');
    }),
    { message: 'refused' },
  );

  t.deepEqual(await db.select('SELECT * FROM pairs WHERE id = 200'), []);
});

test('both sides of a deadlock succeed in the end', async (t) => {
  const { db } = database;
  await db.run('INSERT INTO pairs VALUES (301, 0), (302, 0)');
  const meet = meetingPoint(2);
  let runs = 0;
  const add = (first: number, second: number) =>
    db.transaction(async (tx) => {
      runs += 1;
      await tx.run('UPDATE pairs SET value = value + 1 WHERE id = ?', [first]);
      await meet();
      await tx.run('UPDATE pairs SET value = value + 1 WHERE id = ?', [second]);
    });

  await Promise.all([add(301, 302), add(302, 301)]);

  t.true(runs >= 3, 'one of the two ran again');
  const rows = await db.select('SELECT value FROM pairs WHERE id IN (301, 302)');
  t.deepEqual(rows, [{ value: 2 }, { value: 2 }]);
});

test('a lock that is not given however often it is asked for is an outage, not a fault of ours', (t) => {
  const refused = { deadlock: 1213, lockWaitTimeout: 1205, recordChanged: 1020 };
  for (const errno of Object.values(refused)) {
    const error = toDatabaseError(
      Object.assign(new Error('no lock'), { errno, code: 'ER_LOCK' }),
      'SELECT 1',
    );
    t.true(isUnavailable(error));
  }
});

/** A cluster's errors while another server takes over; and a server that ended an idle connection, or has no room. */
const TAKEOVERS = {
  readOnly: 1290,
  readOnlyMode: 1836,
  shuttingDown: 1053,
  notPrepared: 1047,
  commitGivenUp: 1180,
  offline: 3032,
  lostByProxy: 2013,
  readOnlyEngine: 1874,
  readOnlyTransaction: 1792,
  hookFailed: 3100,
  rolledBack: 3101,
  idle: 4031,
  diskFull: 1021,
  tableFull: 1114,
  noEntry: 1045,
};

/** Of these, what leaves the connection to a server that serves. */
const STAYING: readonly string[] = ['diskFull', 'tableFull', 'noEntry'];

for (const [what, errno] of Object.entries(TAKEOVERS)) {
  const stays = STAYING.includes(what);
  const next = stays ? 'is asked again' : 'is left for another one';
  test(`a server in trouble is unavailable, and ${next}: ${what}`, async (t) => {
    const db = openDatabase({ url: database.url, poolSize: 1 });
    t.teardown(() => db.close());
    const idOf = async () => (await db.select('SELECT CONNECTION_ID() AS id'))[0]?.id;
    const before = await idOf();

    const refused = await t.throwsAsync(
      db.run(`SIGNAL SQLSTATE 'HY000' SET MYSQL_ERRNO = ${errno}, MESSAGE_TEXT = 'for a test'`),
    );

    t.true(isUnavailable(refused));
    t.is((await idOf()) === before, stays);
  });
}

test('a deadlock that the function swallows does not commit the rest', async (t) => {
  const { db } = database;
  await db.run('INSERT INTO pairs VALUES (401, 0), (402, 0)');
  const meet = meetingPoint(2);
  const add = (first: number, second: number, extra: number) =>
    db.transaction(async (tx) => {
      await tx.run('UPDATE pairs SET value = value + 1 WHERE id = ?', [first]);
      await meet();
      await tx.run('UPDATE pairs SET value = value + 1 WHERE id = ?', [second]).catch(() => undefined);
      await tx.run('INSERT INTO pairs VALUES (?, 1)', [extra]).catch(() => undefined);
    });

  await Promise.all([add(401, 402, 403), add(402, 401, 404)]);

  const rows = await db.select('SELECT id, value FROM pairs WHERE id BETWEEN 401 AND 404 ORDER BY id');
  t.deepEqual(
    rows.map((row) => row.value),
    [2, 2, 1, 1],
  );
});

test('a transaction that is over takes no statement', async (t) => {
  let kept: Executor | undefined;
  await database.db.transaction(async (tx) => {
    kept = tx;
    await tx.select('SELECT 1');
  });

  await t.throwsAsync(async () => kept?.run('INSERT INTO pairs VALUES (500, 1)'), { message: /is over/ });
});

test('errors name the statement and key, never a value', async (t) => {
  const secret = 60_112_233;
  await database.db.run('INSERT INTO pairs VALUES (?, 1)', [secret]);

  const error = await t.throwsAsync(database.db.run('INSERT INTO pairs VALUES (?, 1)', [secret]));

  t.true(isDuplicateKey(error));
  t.false(isUnavailable(error));
  t.false(
    JSON.stringify({ ...error, message: error?.message, stack: error?.stack }).includes(String(secret)),
  );
  t.regex(error?.message ?? '', /PRIMARY/);
});

test('a lost connection is unavailable, and the next statement gets a new one', async (t) => {
  const db = openDatabase({ url: database.url, poolSize: 1 });
  t.teardown(() => db.close());

  const error = await t.throwsAsync(
    db.transaction(async (tx) => {
      const [row] = await tx.select('SELECT CONNECTION_ID() AS id');
      await database.db.run(`KILL ${String(row?.id)}`);
      await tx.select('SELECT 1');
    }),
  );

  t.true(isUnavailable(error), String(error));
  await t.notThrowsAsync(db.transaction((tx) => tx.select('SELECT 1')));
});

test('a process that has lost a connection ends as soon as it has closed its pools', async (t) => {
  const script = `
    import { openDatabase } from '${new URL('../../src/db/database.js', import.meta.url)}';
    const [lost, other] = [1, 1].map((poolSize) => openDatabase({ url: process.env.URL, poolSize }));
    const outcome = await lost.session(async (session) => {
      const [{ id }] = await session.select('SELECT CONNECTION_ID() AS id');
      const waiting = session.select('SELECT SLEEP(25)').then(() => 'slept', () => 'lost');
      await other.run('KILL ' + id);
      return await waiting;
    });
    await Promise.all([lost.close(), other.close()]);
    console.log(outcome);`;

  const { code, output } = await run(process.execPath, ['--input-type=module', '-e', script], {
    env: { URL: database.url },
    timeoutMs: 20_000,
  });

  t.deepEqual({ code, output }, { code: 0, output: 'lost\n' });
});

test('a statement after the connection was noticed to be gone is unavailable too', async (t) => {
  const connection = createConnection(database.url);
  await new Promise<void>((resolve) => connection.connect(() => resolve()));
  const gone = new Promise<void>((resolve) => connection.once('error', () => resolve()));
  await database.db.run(`KILL ${connection.threadId}`);
  await gone;

  const error = await t.throwsAsync(send(connection, 'SELECT 1'));

  t.true(isUnavailable(error), String(error));
});

test('a statement between the end of a connection and its close is unavailable too', async (t) => {
  for (const state of ['ended', 'destroyed']) {
    const connection = createConnection(database.url);
    connection.on('error', () => undefined);
    await new Promise<void>((resolve) => connection.connect(() => resolve()));
    // As when the server has closed it, and the driver has not been told.
    const { stream } = connection as unknown as { stream: Socket };
    if (state === 'ended') stream.end();
    else stream.destroy();

    const error = await t.throwsAsync(send(connection, 'SELECT 1'));

    t.true(isUnavailable(error), `${state}: ${error}`);
  }
});

test('no server, and a pool without a free connection in time, are unavailable', async (t) => {
  const nowhere = openDatabase({ url: 'mysql://root@127.0.0.1:9/none', poolSize: 1 });
  t.teardown(() => nowhere.close());

  const error = await t.throwsAsync(nowhere.ping());

  t.true(isUnavailable(error), String(error));
});

test('a statement that takes too long is ended in the server, and its connection goes on', async (t) => {
  const db = openDatabase({ url: database.url, poolSize: 1, statementTimeoutMs: 3000 });
  t.teardown(() => db.close());
  const idOf = async () => (await db.select('SELECT CONNECTION_ID() AS id'))[0]?.id;
  const before = await idOf();

  // Unlike a SLEEP that stands alone, it fails on both servers when it is ended.
  const error = await t.throwsAsync(db.select('SELECT COUNT(*) FROM shipping_statuses WHERE SLEEP(20) = 0'));

  t.true(isUnavailable(error), String(error));
  t.is(await idOf(), before);
  // The server answers a moment before it takes the statement from its list.
  const running = () =>
    database.db.select('SELECT id FROM information_schema.PROCESSLIST WHERE info LIKE ?', [
      'SELECT COUNT(*) FROM shipping_statuses WHERE SLEEP%',
    ]);
  await eventually(async () => (await running()).length === 0, 'the statement to end', 5000);
});

test('a migration may take as long as it needs', async (t) => {
  const db = openDatabase({ url: database.url, poolSize: 1, statementTimeoutMs: 0 });
  t.teardown(() => db.close());

  const variables = await db.select(
    "SHOW SESSION VARIABLES WHERE Variable_name IN ('max_statement_time', 'max_execution_time')",
  );

  t.deepEqual(
    variables.map((row) => Number(row.Value)),
    [0],
  );
});

test('a server that does not answer in time is given up, and the connection thrown away', async (t) => {
  const db = openDatabase({ url: database.url, poolSize: 1, statementTimeoutMs: 1000 });
  t.teardown(() => db.close());
  // Takes the server's own limit away.
  const unlimited = 'SET SESSION max_statement_time = 0';

  const error = await t.throwsAsync(
    db.session(async (session) => {
      await session.run(unlimited).catch(() => session.run('SET SESSION max_execution_time = 0'));
      await session.select('SELECT SLEEP(5)');
    }),
  );

  t.true(isUnavailable(error), String(error));
  await t.notThrowsAsync(db.ping());
});
