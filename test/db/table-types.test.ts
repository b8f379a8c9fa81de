import test from 'ava';
import { users } from '../../src/db/tables/users.js';
import { createTestDatabase } from '../support/database.js';

test('select: a misspelt column does not compile', async (t) => {
  const { db, drop } = await createTestDatabase();
  t.teardown(drop);

  // @ts-expect-error: no such column
  const misspelt = users.select(db, ['emial'], '');

  await t.throwsAsync(misspelt);
});
