import test from 'ava';
import { users } from '../../src/db/tables/index.js';
import { createTestDatabase } from '../support/database.js';

test('a misspelt column does not compile, and finds and inserts nothing', async (t) => {
  const { db, drop } = await createTestDatabase();
  t.teardown(drop);

  // @ts-expect-error: no such column
  const read = users.pick('emial');
  // @ts-expect-error: no such column
  const found = users.findOne(db, read, { accountId: 1, emial: 'x' });
  // @ts-expect-error: no such column
  const inserted = users.insert(db, { accountId: 1, emial: 'x' });
  // @ts-expect-error: no such column
  const updated = users.update(db, { id: 1, accountId: 1 }, { emial: 'x' });
  // @ts-expect-error: no such column
  const condition = `${users.as('u').emial} = ?`;

  await t.throwsAsync(found);
  await t.throwsAsync(inserted);
  t.is(await updated, 0);
  t.is(condition, 'undefined = ?');
});

test('a table with an account is not read or changed without one', async (t) => {
  const { db, drop } = await createTestDatabase();
  t.teardown(drop);

  // @ts-expect-error: an account is missing
  const found = users.findOne(db, users.pick('id'), { id: 1 });
  // @ts-expect-error: an account is missing
  const updated = users.update(db, { id: 1 }, { name: 'x' });

  t.is(await found, null);
  t.is(await updated, 0);
});
