import { randomUUID } from 'node:crypto';
import { type Client, ServiceError } from '@temporalio/client';
import test from 'ava';
import { findByClientId } from '../../src/db/queries/accounts/credentials.js';
import { beginExport } from '../../src/db/queries/exports/exports.js';
import { createExport } from '../../src/services/exports/create-export.js';
import { createTestDatabase } from '../support/database.js';
import { insertTestAccount, insertTestLicense } from '../support/factories.js';

const database = await createTestDatabase();

test.after.always(() => database.drop());

test('createExport: an unavailable engine leaves nothing behind, and a retry is possible', async (t) => {
  const request = await requestOf();
  const away = clientThat(async () => {
    throw engineError(14);
  });

  const first = await t.throwsAsync(createExport({ db: database.db, temporal: away }, request));
  const second = await t.throwsAsync(createExport({ db: database.db, temporal: away }, request));

  t.like(first, { code: 'service_unavailable' });
  t.like(second, { code: 'service_unavailable' });
  t.deepEqual(
    await database.db.select('SELECT id FROM exports WHERE account_id = ?', [request.accountId]),
    [],
  );
});

test('createExport: a start whose answer was lost counts when the run has begun', async (t) => {
  const request = await requestOf();
  const { accountId } = request;
  const lost = clientThat(async () => {
    const [row] = await database.db.select('SELECT id FROM exports WHERE account_id = ?', [accountId]);
    await beginExport(database.db, { accountId, exportId: Number(row?.id) });
    throw engineError(4);
  });

  const record = await createExport({ db: database.db, temporal: lost }, request);

  const rows = await database.db.select('SELECT id, status FROM exports WHERE account_id = ?', [accountId]);
  t.deepEqual(
    rows.map((row) => [row.id, row.status]),
    [[record.id, 'processing']],
  );
});

/** The client's error for a gRPC code. */
function engineError(code: number): ServiceError {
  const cause = Object.assign(new Error(`${code}: no connection`), {
    code,
    details: 'no connection',
    metadata: {},
  });
  return new ServiceError('the call failed', { cause });
}

/** A client whose every call ends like this. */
function clientThat(end: () => Promise<never>): Client {
  return { withDeadline: end } as unknown as Client;
}

async function requestOf(): Promise<Parameters<typeof createExport>[1]> {
  const { accountId, clientId } = await insertTestAccount(database.db);
  await insertTestLicense(database.db, { accountId, key: `lic-${randomUUID()}` });
  const account = await findByClientId(database.db, clientId);
  return { accountId, license: account!.licenses[0]!, filter: {}, format: 'csv' };
}
