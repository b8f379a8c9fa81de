import test from 'ava';
import { runAdmin } from '../support/admin.js';
import { shipmentBody, startApiStack } from '../support/api-client.js';
import { carrierDouble } from '../support/carrier-double.js';
import { eventually } from '../support/conditions.js';
import { insertTestLicense, insertTestShipment } from '../support/factories.js';

const GIVEN_UP = 'given up: nothing is booked, and the caller reads the reason';
/** Bookings sent later are not decided about. */
const LOOKED = ['--looked-at', '2100-01-01T00:00:00Z'];
const double = carrierDouble('many');
const other = carrierDouble('other');
const doubles = [double.adapter, other.adapter];
const { stack, api } = await startApiStack({ doubles }, { createWaitMs: 20_000 });
test.after.always(() => stack.close());

test.serial('resolve --license --retry: rebooks all waiting shipments of a license', async (t) => {
  const waiting = [await waitingOrder('many'), await waitingOrder('many')];
  const elsewhere = await waitingOrder('other');
  const calls = double.told.length;

  const { code, out, err } = await resolve('many', '--retry');

  t.is(code, 0, err);
  const [head = '', ...lines] = out.trimEnd().split('\n');
  t.regex(head, /^UUID +ORDER_ID +OUTCOME$/);
  t.deepEqual(
    lines.map((line) => line.split(/ {2,}/)),
    waiting.map(({ uuid, orderId }) => [uuid, orderId, `created with tracking code ${codeOf(uuid)}`]),
  );
  t.is(double.told.length - calls, 2);
  t.deepEqual(await stillWaiting(), [elsewhere.uuid]);
  t.is((await resolve('many', '--retry')).out, 'none\n');
});

test.serial('resolve --license --give-up: also accepts a license id, and prints JSON', async (t) => {
  const { uuid, orderId } = await waitingOrder('many');
  const [license] = await stack.db.select('SELECT license_id FROM shipments WHERE uuid = ?', [uuid]);

  const { out, err } = await runAdmin(
    [
      'resolve',
      '--license',
      String(license?.license_id),
      ...LOOKED,
      '--give-up',
      'the season is over',
      '--json',
    ],
    stack.env,
  );

  t.deepEqual(JSON.parse(out), [{ uuid, order_id: orderId, outcome: GIVEN_UP }], err);
});

test.serial('resolve --license: a failing decision does not stop the others and exits with 1', async (t) => {
  const license = await insertTestLicense(stack.db, { accountId: stack.account.id });
  const gone = await insertTestShipment(stack.db, license, {
    state: 'reserved',
    tracking_code: null,
    status_code: 'needs_attention',
  });
  await stack.db.run(
    `INSERT INTO carrier_attempts (shipment_uuid, operation, number, state) VALUES (?, 'book', 1, 'unknown')`,
    [gone.uuid],
  );
  const { uuid } = await waitingOrder('many');
  await stack.db.run('UPDATE shipments SET license_id = ? WHERE uuid = ?', [license.licenseId, uuid]);

  const { code, out } = await runAdmin(
    ['resolve', '--license', license.key, ...LOOKED, '--give-up', 'lost', '--json'],
    stack.env,
  );

  const [first, second] = JSON.parse(out);
  t.is(code, 1);
  t.is(first.uuid, gone.uuid);
  t.regex(first.outcome, /^The creation is not running any more/);
  t.like(second, { uuid, outcome: GIVEN_UP });
});

test.serial('resolve --license --looked-at: refuses what was sent since', async (t) => {
  const { uuid } = await waitingOrder('many');
  const calls = double.told.length;

  const { code, out } = await runAdmin(
    [
      'resolve',
      '--license',
      stack.account.licenseKeys.many ?? '',
      '--looked-at',
      '2020-01-01',
      '--retry',
      '--json',
    ],
    stack.env,
  );

  t.is(code, 1);
  t.like(JSON.parse(out)[0], { uuid });
  t.regex(JSON.parse(out)[0].outcome, /^Something was sent to the carrier since you looked/);
  t.is(double.told.length, calls);
  await resolve('many', '--give-up', 'the test is over');
});

test.serial('resolve: accepts one shipment or one license, and no code for several', async (t) => {
  const uuid = '01a1fca5-1a64-7202-906c-154e274a5396';

  const runs = {
    both: await runAdmin(['resolve', uuid, '--license', 'lic', '--retry', '--attempt', '1'], stack.env),
    neither: await runAdmin(['resolve', '--retry'], stack.env),
    code: await runAdmin(['resolve', '--license', 'lic', '--adopt', 'CODE-1'], stack.env),
    nobodys: await runAdmin(['resolve', '--license', 'nobodys', '--retry', ...LOOKED], stack.env),
    unseen: await runAdmin(['resolve', '--license', 'lic', '--retry'], stack.env),
  };

  for (const [name, { code, out }] of Object.entries(runs)) t.deepEqual([code, out], [2, ''], name);
  t.regex(runs.both.err, /^admin: shipment-uuid must be given, or --license, and not both/);
  t.is(runs.neither.err, runs.both.err);
  t.regex(runs.code.err, /^admin: adopt goes with one shipment alone/);
  t.regex(runs.unseen.err, /^admin: looked-at must be the time/);
  t.regex(runs.nobodys.err, /^admin: license must be the key or id of a license/);
});

function resolve(provider: string, ...decision: string[]) {
  const key = stack.account.licenseKeys[provider] ?? '';
  return runAdmin(['resolve', '--license', key, ...LOOKED, ...decision], stack.env);
}

/** A booking without an answer that waits for a person. */
async function waitingOrder(provider: 'many' | 'other'): Promise<{ uuid: string; orderId: string }> {
  (provider === 'many' ? double : other).next.push({ kind: 'unknown', text: 'The line was cut.' });
  const body = shipmentBody(stack.account, provider);
  const { uuid } = (await api.create(body)).body.data;
  await eventually(async () => (await stillWaiting()).includes(uuid), 'needs_attention');
  return { uuid, orderId: body.order.id };
}

async function stillWaiting(): Promise<unknown[]> {
  const rows = await stack.db.select(
    `SELECT uuid FROM shipments WHERE state = 'reserved' AND status_code = 'needs_attention' ORDER BY id`,
  );
  return rows.map((row) => row.uuid);
}

function codeOf(uuid: string): string {
  const call = double.told.map(({ reference }) => reference).lastIndexOf(uuid);
  return `many-${call + 1}`;
}
