import test from 'ava';
import { ApiClient, shipmentBody, startApiStack } from '../support/api-client.js';
import type { TestStack } from '../support/stack.js';

/** How often MySQL refuses before it is well again. */
const TIMES = 2;
/** More often than a transaction is tried by itself. */
const TIMES_OF_TRIED = 9;

/** Troubles of MySQL that pass by themselves, by its numbers. */
const TROUBLES = {
  lockWaitTimeout: 1205,
  deadlock: 1213,
  readOnly: 1290,
  readOnlyTransaction: 1792,
  readOnlyMode: 1836,
  shuttingDown: 1053,
  killed: 1927,
  notPrepared: 1047,
  notReady: 3168,
  commitGivenUp: 1180,
  aborted: 1152,
  networkRead: 1159,
  lostByProxy: 2013,
  tooManyConnections: 1040,
  userLimit: 1226,
  tooManyTransactions: 1637,
  interrupted: 1317,
  sortAborted: 1028,
  statementTime: 1969,
  diskFull: 1021,
  tableFull: 1114,
  outOfMemory: 1037,
  passwordChanged: 1045,
};

/** Those after which a transaction is tried again. */
const TRIED: readonly string[] = [
  'lockWaitTimeout',
  'deadlock',
  'readOnly',
  'readOnlyTransaction',
  'readOnlyMode',
  'notPrepared',
  'notReady',
];

let stack: TestStack;
let api: ApiClient;

test.before(async () => {
  ({ stack, api } = await startApiStack({}, { createWaitMs: 60_000 }));
  // A rollback leaves what this table counts.
  await stack.db.run('CREATE TABLE refusals (id INT AUTO_INCREMENT PRIMARY KEY) ENGINE=MyISAM');
  await stack.db.run('CREATE TABLE trouble (errno INT NOT NULL, times INT NOT NULL) ENGINE=MyISAM');
  await stack.db.run(
    `CREATE TRIGGER in_trouble BEFORE INSERT ON shipments FOR EACH ROW
     BEGIN
       DECLARE number INT;
       SELECT errno INTO number FROM trouble WHERE times > (SELECT COUNT(*) FROM refusals) LIMIT 1;
       IF number IS NOT NULL THEN
         INSERT INTO refusals VALUES (NULL);
         SIGNAL SQLSTATE 'HY000' SET MYSQL_ERRNO = number, MESSAGE_TEXT = 'for a test';
       END IF;
     END`,
  );
});

test.after.always(() => stack?.close());

/** From now on MySQL refuses to write shipments, this often. */
async function beginTrouble(errno: number, times: number): Promise<void> {
  for (const table of ['trouble', 'refusals']) await stack.db.run(`DELETE FROM ${table}`);
  await stack.db.run('INSERT INTO trouble VALUES (?, ?)', [errno, times]);
}

for (const [what, errno] of Object.entries(TROUBLES)) {
  for (const provider of ['run', 'independent']) {
    test.serial(`POST /shipments: 201 after MySQL's trouble has passed: ${what}, ${provider}`, async (t) => {
      const times = TRIED.includes(what) ? TIMES_OF_TRIED : TIMES;
      await beginTrouble(errno, times);

      const created = await api.create(shipmentBody(stack.account, provider));

      t.is(created.status, 201, created.text);
      const [row] = await stack.db.select('SELECT COUNT(*) AS refused FROM refusals');
      t.is(Number(row?.refused), times);
    });
  }
}

test.serial(
  'POST /shipments: 503 with Retry-After while the trouble lasts, and 201 under its key after it',
  async (t) => {
    const hasty = new ApiClient(await stack.startApi(undefined, { createWaitMs: 500 }), stack.account);
    const body = shipmentBody(stack.account, 'run');
    await beginTrouble(1290, 1_000_000);

    const answers = [await hasty.create(body, 'in-trouble'), await hasty.create(body, 'in-trouble')];
    await beginTrouble(1290, 0);
    const created = await api.create(body, 'in-trouble');

    for (const { status, headers, text } of answers) {
      t.is(status, 503, text);
      t.regex(headers.get('retry-after') ?? '', /^\d+$/);
    }
    t.is(created.status, 201, created.text);
  },
);
