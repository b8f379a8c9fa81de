import test from 'ava';
import { isDuplicateKey } from '../../src/db/database.js';
import { panelUsers, serviceSecrets } from '../../src/db/tables/index.js';
import { createTestDatabase, type TestDatabase } from '../support/database.js';
import { uniqueText } from '../support/factories.js';

const sent: string[] = [];
let database: TestDatabase;
test.before(async () => {
  database = await createTestDatabase(undefined, (sql) => sent.push(sql));
});
test.after.always(() => database.drop());

const USER = panelUsers.pick('id', 'email', 'name', 'isActive', 'recoveryHashes', 'wrongCodesSince');
const AT = '2026-01-02T03:04:05.123456Z';

function newUser(name: string) {
  const email = `${uniqueText('user')}@example.test`;
  const role = 'administrator' as const;
  return { email, wrongCodesSince: AT, name, role, accountId: null, recoveryHashes: ['a?0'] };
}

test.serial(
  'every value reaches its column, with microseconds, whichever names Sequelize takes first',
  async (t) => {
    const { db } = database;
    const user = newUser("it's ?1 \\ 'quoted'");
    const id = await panelUsers.insert(db, user);
    const other = await panelUsers.insert(db, { ...newUser('other'), wrongCodesSince: null });

    const changed = await panelUsers.update(
      db,
      { wrongCodesSince: AT, id, accountId: undefined, isActive: true },
      { isActive: false, name: 'changed ?0' },
    );
    const missed = await panelUsers.update(
      db,
      { wrongCodesSince: '2026-01-02T03:04:05.123457Z', accountId: undefined },
      { name: 'never' },
    );
    const found = await panelUsers.findOne(db, USER, {
      wrongCodesSince: AT,
      email: user.email,
      accountId: undefined,
      isActive: false,
    });
    const never = await panelUsers.find(
      db,
      panelUsers.pick('id'),
      { wrongCodesSince: null, accountId: undefined },
      { order: [['id', 'DESC'], 'email'], limit: 1 },
    );

    const { email, recoveryHashes } = user;
    const read = { id, email, name: 'changed ?0', isActive: false, recoveryHashes, wrongCodesSince: AT };
    t.is(changed, 1);
    t.is(missed, 0);
    t.deepEqual(found, read);
    t.deepEqual(never, [{ id: other }]);
  },
);

test.serial(
  'insert: a row with the key is replaced in the given columns, and kept where one of the key is given',
  async (t) => {
    const { db } = database;
    const [name, sealed] = [uniqueText('secret'), Buffer.alloc(32, 1)];
    await serviceSecrets.insert(db, { name, sealed, secretLast4: 'aaaa' });

    await serviceSecrets.insert(db, { secretLast4: 'bbbb', sealed, name }, { replacing: ['secretLast4'] });
    await serviceSecrets.insert(db, { secretLast4: 'cccc', sealed, name }, { replacing: ['name'] });

    const found = await serviceSecrets.find(db, serviceSecrets.pick('sealed', 'secretLast4'), { name });
    t.deepEqual(found, [{ sealed, secretLast4: 'bbbb' }]);
  },
);

test.serial(
  'a statement is one round trip, in the transaction, without a value in its text or its error',
  async (t) => {
    const { db } = database;
    const user = newUser('Secret Name');
    const before = sent.length;

    const error = await t.throwsAsync(
      db.transaction(async (tx) => {
        const id = await panelUsers.insert(tx, user);
        await panelUsers.findOne(tx, USER, { id, accountId: undefined }, { lock: true });
        await panelUsers.update(tx, { id, accountId: undefined }, { name: 'Other Secret' });
        await panelUsers.insert(tx, user);
      }),
    );

    const statements = sent.slice(before).filter((sql) => sql.includes('panel_users'));
    const kept = await panelUsers.findOne(db, USER, { email: user.email, accountId: undefined });
    t.deepEqual(
      statements.map((sql) => sql.split(' ')[0]),
      ['INSERT', 'SELECT', 'UPDATE', 'INSERT'],
    );
    t.regex(statements[1] ?? '', /WHERE `panel_users`\.`id` = \? FOR UPDATE/);
    t.true(isDuplicateKey(error));
    t.notRegex([...statements, error.message, JSON.stringify(error)].join(' '), /Secret|user-/);
    t.is(kept, null);
  },
);

test.serial('a statement after its transaction is refused, and sends nothing', async (t) => {
  const { db } = database;
  const user = newUser('late');
  const late = await db.transaction(async (tx) => () => panelUsers.insert(tx, user));
  const before = sent.length;

  const error = await t.throwsAsync(late());

  t.is(error.message, 'The transaction is over; a statement was not awaited inside it.');
  t.deepEqual(sent.slice(before), []);
});
