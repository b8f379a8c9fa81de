import test from 'ava';
import { text } from '../../src/db/row.js';
import * as tables from '../../src/db/tables/index.js';
import { createTestDatabase } from '../support/database.js';

const database = await createTestDatabase();
test.after.always(() => database.drop());

/** MariaDB shows JSON as longtext, and older MySQL shows display widths: both are the same type to us. */
function normalise(type: string): string {
  const lower = type.toLowerCase().replace(/ ?,/g, ',');
  if (lower === 'boolean') return 'tinyint';
  if (lower === 'json') return 'longtext';
  return lower.replace(/^((?:tiny|small|big|medium)?int)\(\d+\)/, '$1');
}

test('every description has exactly the columns of its table, with their types and nullability', async (t) => {
  const rows = await database.db.select(
    `SELECT TABLE_NAME AS table_name, COLUMN_NAME AS column_name, COLUMN_TYPE AS column_type,
       IS_NULLABLE AS is_nullable, COLUMN_KEY AS column_key
     FROM information_schema.COLUMNS
     WHERE TABLE_SCHEMA = DATABASE() AND TABLE_NAME <> 'schema_migrations'`,
  );
  const schema = rows.map((row) => ({
    column: `${text(row, 'table_name')}.${text(row, 'column_name')}`,
    type: normalise(text(row, 'column_type')),
    nullable: text(row, 'is_nullable') === 'YES',
    primary: text(row, 'column_key') === 'PRI',
  }));

  const described = Object.values(tables).flatMap((table) =>
    Object.entries(table.columns).map(([name, { type, options }]) => ({
      column: `${table.name}.${name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)}`,
      type: normalise(type),
      nullable: options.allowNull === true,
      primary: options.primaryKey === true,
    })),
  );

  const byColumn = (one: { column: string }, other: { column: string }) =>
    one.column < other.column ? -1 : 1;
  t.true(described.length > 100);
  t.deepEqual(described.sort(byColumn), schema.sort(byColumn));
});

test('rows with other columns are not inserted together: values would go to other columns', async (t) => {
  const insert = tables.carriers.insertAll(database.db, [
    { provider: 'one', name: 'One' },
    { name: 'Two', provider: 'two' },
  ]);

  await t.throwsAsync(insert, { instanceOf: TypeError, message: /^Rows of carriers .* the same columns\.$/ });
});
