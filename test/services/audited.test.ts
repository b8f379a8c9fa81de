import test from 'ava';
import { AppError } from '../../src/domain/errors.js';
import { quoted } from '../../src/domain/problems/problem.js';
import { auditedAct } from '../../src/services/admin/audited.js';
import { TEST_ACTOR } from '../support/actor.js';
import { createTestDatabase } from '../support/database.js';

const database = await createTestDatabase();
test.after.always(() => database.drop());

/** The outcome that is recorded of an act that ends with the error. */
async function outcomeOf(error: Error): Promise<unknown> {
  const about = { target: { kind: 'test', id: error.message.slice(0, 60) }, accountId: null };
  const app = { db: database.db, actor: TEST_ACTOR };
  await auditedAct(app, 'accounts.change', about, () => Promise.reject(error)).catch(() => undefined);
  const [row] = await database.db.select('SELECT values_after FROM audit_log WHERE target_id = ?', [
    about.target.id,
  ]);
  return JSON.parse(String(row?.values_after)).outcome;
}

test("auditedAct: a carrier's words, which may name people, are recorded as their code", async (t) => {
  const codes = ['carrier_rejected', 'creation_refused', 'shipment_not_cancellable'] as const;

  for (const code of codes) {
    const outcome = await outcomeOf(
      new AppError(code, quoted(`${code}: no street "Rothschild" for Noa Cohen`)),
    );

    t.is(outcome, `failed: ${code}`);
  }
});

test('auditedAct: a message of ours is recorded, any other is not', async (t) => {
  const ours = await outcomeOf(new AppError('duplicate_request', quoted('The order has a shipment.')));
  const other = await outcomeOf(new Error('connect 10.0.0.1'));

  t.is(ours, 'failed: The order has a shipment.');
  t.is(other, 'failed');
});
