import test from 'ava';
import { resolveBooking } from '../../src/services/admin/bookings.js';
import { TEST_ACTOR } from '../support/actor.js';
import { runAdmin } from '../support/admin.js';
import { ApiClient, shipmentBody } from '../support/api-client.js';
import { carrierDouble } from '../support/carrier-double.js';
import { eventually } from '../support/conditions.js';
import { askPanel, cookieOf } from '../support/panel.js';
import { startStack, type TestStack } from '../support/stack.js';

const double = carrierDouble('double');
let stack: TestStack;
let api: ApiClient;
let url: string;

test.before(async () => {
  stack = await startStack({ doubles: [double.adapter] });
  await stack.startWorkers();
  url = await stack.startApi(undefined, { createWaitMs: 20_000 });
  api = new ApiClient(url, stack.account);
});
test.after.always(() => stack?.close());

test.serial(
  'POST /panel/attention: one parcel when two operators book again from pages of the same age',
  async (t) => {
    const sandbox = stack.sandboxes.get('cargo');
    if (sandbox === undefined) throw new Error('cargo has no sandbox');
    await sandbox.fault({ operation: 'book', kind: 'drop_before', times: 1 });
    const { body } = await api.create(shipmentBody(stack.account, 'cargo'));
    const { uuid } = body.data;
    const first = await pageWith(uuid);
    const second = await pageWith(uuid);
    await sandbox.fault({ operation: 'book', kind: 'drop_after', times: 1 });

    const decided = await decideOn(first, { action: 'retry', answer: 'yes' });
    const stale = await decideOn(second, { action: 'retry', answer: 'yes' });
    const freed = await decideOn(second, { action: 'give_up', reason: 'not there', answer: 'yes' });

    const parcels = (await sandbox.ledger()).filter(({ reference }) => reference === uuid);
    t.is(parcels.length, 1);
    t.true(decided.text.includes('Still unknown'), decided.text);
    for (const { status, text } of [stale, freed]) {
      t.is(status, 422);
      t.regex(text, /sent to the carrier since you looked: the newest call is number 2/);
    }
    t.deepEqual(await outcomesIn('bookings.resolve', uuid), ['still unknown', 'failed', 'failed']);
  },
);

test.serial('a second unknown outcome is marked with its own time and reason', async (t) => {
  double.next.push({ kind: 'unknown', text: 'first' }, { kind: 'unknown', text: 'second' });
  const { uuid } = (await api.create(shipmentBody(stack.account, 'double'))).body.data;
  const [before] = await marksOf(uuid, 'first');

  const { out, code } = await runAdmin(['resolve', uuid, '--retry', '--attempt', '1'], stack.env);

  const [after] = await marksOf(uuid, 'second');
  t.is(code, 0);
  t.regex(out, /^still unknown: /);
  t.true(String(after?.status_at) > String(before?.status_at));
});

test.serial('POST /panel/attention: nothing is done when the action is missing or unknown', async (t) => {
  double.next.push({ kind: 'unknown', text: 'cut' });
  const { uuid } = (await api.create(shipmentBody(stack.account, 'double'))).body.data;
  const page = await pageWith(uuid);
  const calls = double.told.length;

  for (const form of [{}, { action: '' }, { action: 'GIVE_UP', reason: 'x' }, { action: 'many' }]) {
    t.is((await decideOn(page, { ...form, answer: 'yes' })).status, 422, JSON.stringify(form));
  }
  const asked = await decideOn(page, { action: 'retry' });

  t.is(asked.status, 200);
  t.regex(asked.text, /there will be two/);
  t.is(double.told.length, calls);
});

test.serial(
  'POST /panel/attention: those after one that failed are decided, and each has its outcome',
  async (t) => {
    double.next.push({ kind: 'unknown', text: 'cut' }, { kind: 'unknown', text: 'cut' });
    const gone = (await api.create(shipmentBody(stack.account, 'double'))).body.data.uuid;
    const kept = (await api.create(shipmentBody(stack.account, 'double'))).body.data.uuid;
    const seen = [(await pageWith(gone)).seen, (await pageWith(kept)).seen];
    await runAdmin(['resolve', gone, '--give-up', 'ordered twice', '--attempt', '1'], stack.env);
    const cookie = await cookieOf(stack, 'operator');

    const { text } = await askPanel(`${url}/panel/attention`, {
      form: [['action', 'retry'], ['answer', 'yes'], ...seen.map((one): [string, string] => ['seen', one])],
      headers: { cookie },
    });

    t.regex(text, /Decided: 1 of 2\./);
    t.regex(text, /Not decided/);
    t.is((await api.get(`/shipments/${kept}`)).body.data.status.code, 'created');
  },
);

test.serial('resolve --retry: refused while the call may still be under way', async (t) => {
  double.next.push({ kind: 'unknown', text: 'cut' });
  const { uuid } = (await api.create(shipmentBody(stack.account, 'double'))).body.data;
  await pageWith(uuid);
  // As a process that was cut off leaves it.
  await stack.db.run(
    `UPDATE carrier_attempts SET state = 'sending', ends_at = NOW(6) + INTERVAL 1 HOUR WHERE shipment_uuid = ?`,
    [uuid],
  );
  const calls = double.told.length;

  const retried = await runAdmin(['resolve', uuid, '--retry', '--attempt', '1'], stack.env);
  const givenUp = await runAdmin(['resolve', uuid, '--give-up', 'x', '--attempt', '1'], stack.env);
  const adopted = await runAdmin(['resolve', uuid, '--adopt', 'SEEN-THERE'], stack.env);

  for (const { code, err } of [retried, givenUp]) {
    t.is(code, 1);
    t.regex(err, /may still be under way\. It can be decided from \d{4}-\d\d-\d\dT[\d:]{8}Z on/);
  }
  t.is(double.told.length, calls);
  t.is(adopted.out, 'created with tracking code SEEN-THERE\n', adopted.err);
});

test.serial('resolve: a decision to book again or give up needs the attempt', async (t) => {
  double.next.push({ kind: 'unknown', text: 'cut' });
  const { uuid } = (await api.create(shipmentBody(stack.account, 'double'))).body.data;
  await pageWith(uuid);
  const app = { ...stack, actor: TEST_ACTOR, wake: () => undefined };

  const without = await runAdmin(['resolve', uuid, '--retry'], stack.env);
  const direct = resolveBooking(app, {
    uuid,
    decision: { action: 'retry' } as unknown as { action: 'retry'; attempt: number },
  });

  t.is(without.code, 2);
  t.regex(without.err, /attempt must be the number of the newest call/);
  await t.throwsAsync(direct, { message: /attempt must be/ });
  // The API asks the engine as long as the creation runs, and a try of it may outlive the connection.
  t.is((await runAdmin(['resolve', uuid, '--adopt', 'FOUND-THERE'], stack.env)).code, 0);
});

/** The page of what needs attention, once it shows the shipment, as one operator sees it. */
async function pageWith(uuid: string): Promise<{ seen: string; cookie: string }> {
  const cookie = await cookieOf(stack, 'operator');
  const seen = await eventually(async () => {
    const { text } = await askPanel(`${url}/panel/attention`, { headers: { cookie } });
    return new RegExp(`(?<=name="seen" value=")${uuid} \\d+`).exec(text)?.[0] ?? false;
  }, `${uuid} on the page`);
  return { seen, cookie };
}

function decideOn({ seen, cookie }: { seen: string; cookie: string }, form: Record<string, string>) {
  return askPanel(`${url}/panel/attention`, { form: { seen, ...form }, headers: { cookie } });
}

/** The row of a waiting shipment, once it has the reason. */
async function marksOf(uuid: string, reason: string) {
  return await eventually(async () => {
    const rows = await stack.db.select(
      `SELECT status_at FROM shipments WHERE uuid = ? AND status_code = 'needs_attention' AND status_description = ?`,
      [uuid, reason],
    );
    return rows.length > 0 && rows;
  }, `${uuid} to wait because of ${reason}`);
}

/** The outcomes that the audit has, each up to its first colon. */
async function outcomesIn(action: string, target: string): Promise<string[]> {
  const rows = await stack.db.select(
    `SELECT JSON_UNQUOTE(JSON_EXTRACT(values_after, '$.outcome')) outcome FROM audit_log
     WHERE action = ? AND target_id = ? ORDER BY id`,
    [action, target],
  );
  return rows.map(({ outcome }) => String(outcome).split(':')[0] ?? '');
}
