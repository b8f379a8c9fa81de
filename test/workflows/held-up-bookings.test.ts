import { randomBytes } from 'node:crypto';
import type { ApplicationFailure } from '@temporalio/activity';
import { MockActivityEnvironment } from '@temporalio/testing';
import test from 'ava';
import { Agent } from 'undici';
import { type BookApp, createBookActivity } from '../../activities/carrier-booking.js';
import { createCancelActivity } from '../../activities/carrier-cancelling.js';
import { createFetchLabelActivity } from '../../activities/label-fetching.js';
import { createRefreshPointsActivity } from '../../activities/pickup-points.js';
import type { CarrierAdapter } from '../../src/carriers/contract.js';
import { adapterFinder, allCarriers } from '../../src/carriers/registry.js';
import type { BookInput, BookResult } from '../../src/contracts/create-shipment.js';
import type { Database, SqlValue } from '../../src/db/database.js';
import { type Attempt, beginAttempt } from '../../src/db/queries/creation/attempts.js';
import { releaseShipment, releaseUnsent } from '../../src/db/queries/creation/refusals.js';
import { createStorage } from '../../src/documents/storage.js';
import {
  AccountUnreadable,
  createCarrierAccounts,
  SETTINGS_UNREADABLE,
} from '../../src/services/carriers/carrier-accounts.js';
import { runAdmin } from '../support/admin.js';
import { type ApiClient, shipmentBody, startApiStack } from '../support/api-client.js';
import { bookApp, bookingsOf } from '../support/bookings.js';
import { carrierDouble } from '../support/carrier-double.js';
import { eventually } from '../support/conditions.js';
import { appKeysOf, insertOpenKey, insertTestLicense, insertTestShipment } from '../support/factories.js';
import { decide } from '../support/runs.js';
import { type TestStack } from '../support/stack.js';

/** A carrier that takes every booking as a new one, and cannot be asked. */
const double = carrierDouble('held-up');
const carriers = adapterFinder([double.adapter, ...allCarriers()]);
let stack: TestStack;
let api: ApiClient;

test.before(async () => {
  ({ stack, api } = await startApiStack({ doubles: [double.adapter] }, { createWaitMs: 20_000 }));
});

test.after.always(() => stack?.close());

test.serial('a try that was held up does not send what was refused meanwhile', async (t) => {
  const input = await refusedBooking('refused-meanwhile');
  const calls = double.told.length;

  const late = await book(input);

  t.deepEqual(late, { kind: 'rejected', code: '1', text: 'No such street' });
  t.is(double.told.length, calls);
});

test.serial('a try that was held up does not send what was freed meanwhile', async (t) => {
  const input = await refusedBooking('freed-meanwhile');
  await stack.db.run('DELETE FROM carrier_attempts WHERE shipment_uuid = ?', [input.shipment.uuid]);
  const calls = double.told.length;

  await t.throwsAsync(book(input) as Promise<unknown>);

  t.is(double.told.length, calls);
});

test.serial('a try that stood still after its mark does not send', async (t) => {
  const input = await unsentBooking('stood-still', 'run');
  const { uuid } = input.shipment;
  const standing: Database = Object.create(stack.db, {
    run: {
      value: async (sql: string, params: readonly SqlValue[]) => {
        const result = await stack.db.run(sql, params);
        if (sql.includes('INTO carrier_attempts')) {
          Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 300);
        }
        return result;
      },
    },
  });

  await t.throwsAsync(book(input, { db: standing, sendWithinMs: 200 }), {
    message: /came too late and was not sent/,
  });

  t.false((await stack.sandbox.ledger()).some(({ reference }) => reference === uuid));
  const [attempt] = await stack.db.select('SELECT state FROM carrier_attempts WHERE shipment_uuid = ?', [
    uuid,
  ]);
  t.is(attempt?.state, 'not_sent');
});

test.serial(
  'a parcel that is booked after it was given up is shown to operators until they took care of it',
  async (t) => {
    const input = await unsentBooking('given-up-meanwhile');
    const { uuid } = input.shipment;
    const slow: CarrierAdapter = {
      ...double.adapter,
      async book(request, context) {
        await releaseShipment(stack.db, { uuid, code: 'given_up', reason: 'not wanted' });
        return await double.adapter.book(request, context);
      },
    };
    const admin = async (...args: string[]) => (await runAdmin(args, stack.env)).out;
    const isListed = async () => (await admin('needs-attention')).includes(uuid);

    const late = await book(input, { carriers: adapterFinder([slow]) });
    const [shipment] = await stack.db.select('SELECT state, is_active FROM shipments WHERE uuid = ?', [uuid]);
    const listed = JSON.parse(await admin('needs-attention', '--json'));
    const told = await admin('show', uuid);
    const retried = await runAdmin(['resolve', uuid, '--retry', '--attempt', '1'], stack.env);
    const stillListed = await isListed();
    const dismissed = await admin('resolve', uuid, '--give-up', 'cancelled by phone', '--attempt', '1');

    const code = late.kind === 'accepted' ? late.parcel.trackingCode : '';
    t.truthy(code);
    t.deepEqual([shipment?.state, Number(shipment?.is_active)], ['refused', 0]);
    t.like(listed, [
      { uuid, reason: `The carrier booked ${code} after this was given up: cancel it there.` },
    ]);
    t.regex(told, new RegExp(`^1 +\\S+Z +accepted +${code}`, 'm'));
    t.not(retried.code, 0);
    t.true(stillListed);
    t.is(dismissed, 'noted: the parcel is not listed any more\n');
    t.false(await isListed());
    t.regex(await admin('show', uuid), /^\S+Z +cancelled +cancelled by phone/m);
  },
);

for (const key of ['kept', 'gone'] as const) {
  test.serial(
    `a second parcel of a try that counted as dead is shown to operators: key ${key}`,
    async (t) => {
      double.next.push({ kind: 'unknown', text: 'reset' });
      const pending = await api.create(shipmentBody(stack.account, 'held-up'), `booked-twice-${key}`);
      const { uuid } = pending.body.data;
      const [row] = await stack.db.select('SELECT workflow_id FROM shipments WHERE uuid = ?', [uuid]);
      const run = stack.temporal.workflow.getHandle(String(row?.workflow_id));
      const [input] = (await bookingsOf(run)).inputs;
      if (input === undefined) return t.fail('no booking in the history');
      await stack.db.run('DELETE FROM carrier_attempts WHERE shipment_uuid = ?', [uuid]);
      const slow: CarrierAdapter = {
        ...double.adapter,
        async book(request, context) {
          // It stood still for longer than any call takes.
          await stack.db.run('UPDATE carrier_attempts SET ends_at = NOW(6) WHERE shipment_uuid = ?', [uuid]);
          await decide(stack.temporal, run.workflowId, { action: 'retry' });
          await run.result();
          if (key === 'gone')
            await stack.db.run('DELETE FROM idempotency_keys WHERE shipment_uuid = ?', [uuid]);
          return await double.adapter.book(request, context);
        },
      };
      const listed = async (): Promise<{ uuid: string; reason: string }[]> =>
        JSON.parse((await runAdmin(['needs-attention', '--json'], stack.env)).out);

      const late = await book(input, { carriers: adapterFinder([slow]) });
      const shipment = (await api.get(`/shipments/${uuid}`)).body.data;
      const second = late.kind === 'accepted' ? late.parcel.trackingCode : '';
      const shown = (await listed()).filter(({ reason }) => reason.includes(second));
      const dismissed = await runAdmin(
        ['resolve', shown[0]?.uuid ?? '', '--give-up', 'cancelled', '--attempt', '1'],
        stack.env,
      );

      t.is(shipment.status.code, 'created');
      t.not(shipment.tracking_code, second);
      t.deepEqual(
        shown.map(({ reason }) => reason),
        [
          `The carrier booked ${second} as well as ${shipment.tracking_code} of shipment ${uuid}: cancel it there.`,
        ],
      );
      t.is(dismissed.code, 0, dismissed.err);
      t.false((await listed()).some(({ reason }) => reason.includes(second)));
    },
  );
}

test.serial('a creation that was held up gives its order no older snapshot', async (t) => {
  const first = shipmentBody(stack.account, 'held-up');
  const { id } = first.order;
  const send = (number: string) =>
    api.create(
      shipmentBody(stack.account, 'held-up', { order: { id, number, items: [item(number)] } }),
      number,
    );
  t.is((await api.create(first, 'first-of-the-order')).status, 201);
  const letGo = double.hold(t);
  const older = send('older');
  await eventually(async () => {
    const rows = await stack.db.select(
      `SELECT a.id FROM carrier_attempts a JOIN shipments s ON s.uuid = a.shipment_uuid
         JOIN orders o ON o.id = s.order_id
       WHERE o.order_id = ? AND a.state = 'sending'`,
      [id],
    );
    return rows.length > 0;
  }, 'the call to the carrier');
  double.hold(t)();
  const newer = await send('newer');
  letGo();

  const late = await older;

  t.deepEqual([newer.status, late.status], [201, 201]);
  const [order] = await stack.db.select('SELECT id, number FROM orders WHERE order_id = ?', [id]);
  const items = await stack.db.select('SELECT name FROM order_items WHERE order_id = ?', [Number(order?.id)]);
  t.is(order?.number, 'newer');
  t.deepEqual(
    items.map(({ name }) => name),
    ['newer'],
  );
});

test.serial('an order has the snapshot of a parcel as soon as there is the parcel', async (t) => {
  const { order } = shipmentBody(stack.account, 'held-up');
  const send = (number: string) =>
    api.create(
      shipmentBody(stack.account, 'held-up', { order: { ...order, number, items: [item(number)] } }),
      `at-once-${number}`,
    );
  t.is((await send('N1')).status, 201);
  const letGo = double.hold(t);
  const second = send('N2');
  const isAsked = async () => (await parcelsOf(order.id)).some(({ state }) => state === 'reserved');
  await eventually(isAsked, 'the reservation');

  const meanwhile = await stack.db.transaction(async (tx) => {
    await tx.select('SELECT id FROM orders WHERE order_id = ? FOR UPDATE', [order.id]);
    letGo();
    await eventually(someoneWaits, 'the wait for the order');
    return await parcelsOf(order.id);
  });

  t.is((await second).status, 201);
  t.deepEqual(meanwhile, [
    { state: 'created', number: 'N1', item: 'N1' },
    { state: 'reserved', number: 'N1', item: 'N1' },
  ]);
  t.deepEqual(await parcelsOf(order.id), [
    { state: 'created', number: 'N2', item: 'N2' },
    { state: 'created', number: 'N2', item: 'N2' },
  ]);
});

async function parcelsOf(orderId: string) {
  const rows = await stack.db.select(
    `SELECT s.state, o.number, i.name AS item FROM orders o JOIN shipments s ON s.order_id = o.id
     JOIN order_items i ON i.order_id = o.id WHERE o.order_id = ? ORDER BY s.id`,
    [orderId],
  );
  return rows.map(({ state, number, item }) => ({ state, number, item }));
}

function item(name: string) {
  return { name, quantity: 1, total: '1.00', sku: null, variation: null, virtual: false };
}

test.serial('what is being marked as sent is not freed, whichever commits first', async (t) => {
  const license = await insertTestLicense(stack.db, { accountId: stack.account.id });
  const { uuid } = await insertTestShipment(stack.db, license, { state: 'reserved', tracking_code: null });
  await insertOpenKey(stack.db, stack.account.id, uuid);
  let freeing: ReturnType<typeof releaseUnsent> | undefined;

  const marked = await stack.db.transaction(async (tx) => {
    const begun = await beginAttempt(tx, { uuid, number: 1 });
    freeing = releaseUnsent(stack.db, { uuid, reason: 'for a test', isRunOpen: async () => false });
    await eventually(someoneWaits, 'the wait for the row');
    return begun;
  });

  t.true(marked);
  t.is(await freeing, 'kept');
});

test.serial('a try that waits for MySQL says that it lives', async (t) => {
  const input = await refusedBooking('says-so');
  const environment = new MockActivityEnvironment();
  let beats = 0;
  environment.on('heartbeat', () => {
    beats += 1;
  });
  const slow = createBookActivity({
    ...deps(),
    accounts: async (licenseId, provider) => {
      await eventually(() => beats > 0, 'a heartbeat');
      return await deps().accounts(licenseId, provider);
    },
  });

  await environment.run<[BookInput], BookResult, typeof slow>(slow, input);

  t.true(beats > 0);
});

test.serial('a parcel that cannot be recorded is shown to operators', async (t) => {
  const carrierReference = 'x'.repeat(100);
  double.next.push({
    kind: 'accepted',
    value: { trackingCode: 'LONG-1', carrierReference, description: null },
  });

  const accepted = await api.create(shipmentBody(stack.account, 'held-up'), 'unrecorded');
  const { uuid } = accepted.body.data;
  const description = await eventually(async () => {
    const [row] = await stack.db.select(
      'SELECT status_code, status_description FROM shipments WHERE uuid = ?',
      [uuid],
    );
    return row?.status_code === 'needs_attention' && row.status_description;
  }, 'needs_attention');

  t.is(accepted.status, 202, accepted.text);
  t.is(description, 'The parcel is booked as LONG-1, but cannot be recorded; see the log of the workers.');
  await stack.db.run('ALTER TABLE shipments MODIFY carrier_reference VARCHAR(128) NULL');
  await eventually(
    async () => (await api.get(`/shipments/${uuid}`)).body.data.tracking_code === 'LONG-1',
    'the shipment once it can be recorded',
  );
});

test.serial('a person is asked about a booking under another account, not under a new token', async (t) => {
  const [rotated, moved] = [await unansweredBooking('new-token'), await unansweredBooking('new-account')];
  const change = (args: string[], input = '') =>
    runAdmin(['licenses', 'change', stack.account.licenseKeys.run ?? '', ...args], stack.env, input);
  const sent = async ({ shipment }: BookInput) =>
    (await stack.sandbox.ledger()).some(({ reference }) => reference === shipment.uuid);

  await change(['--secret', 'token'], 'the-next-token\n');
  const goesOn = await book(rotated);
  await change(['--set', 'customer_number=9999']);
  const waits = await book(moved);
  const sentByItself = await sent(moved);
  const atAWord = await book({ ...moved, released: 1 });
  await change(['--set', 'customer_number=1234']);

  t.deepEqual([goesOn.kind, await sent(rotated)], ['accepted', true]);
  t.like(waits, { kind: 'unknown', attempt: 1 });
  t.regex(waits.kind === 'unknown' ? waits.text : '', /settings name another account/);
  t.false(sentByItself);
  t.is(atAWord.kind, 'accepted');
});

test.serial(
  'a later attempt that was not sent does not hide what may be booked in another account',
  async (t) => {
    const input = await unansweredBooking('hidden-account');
    await addAttempt(input, 'not_sent', 'unavailable');
    const accounts = createCarrierAccounts(stack.db, stack.config.appKeys, () => ({ configSchema: {} }));

    const elsewhere = await book(input, { accounts });

    t.like(elsewhere, { kind: 'unknown' });
    t.deepEqual(
      (await stack.sandbox.ledger()).filter(({ reference }) => reference === input.shipment.uuid),
      [],
    );
  },
);

test.serial('an operator has it sent again, whatever a later attempt was answered', async (t) => {
  const input = await unansweredBooking('refused-later');
  await addAttempt(input, 'rejected', 'unauthorized');

  const byItself = await book(input);
  const atAWord = await book({ ...input, released: 2 });

  t.like(byItself, { kind: 'rejected', code: 'unauthorized' });
  t.is(atAWord.kind, 'accepted');
});

test.serial('a repeat whose refusal was lost is not sent again where nobody can be asked', async (t) => {
  const input = await unansweredBooking('refused-untold', 'held-up');
  await addAttempt(input, 'rejected', '1');
  const calls = double.told.length;

  t.like(await book(input), { kind: 'unknown', attempt: 1 });
  t.is(double.told.length, calls);
});

test.serial('whatever asks a carrier waits for a place where the host is slow', async (t) => {
  const { body } = await api.create(shipmentBody(stack.account, 'run'));
  const [row] = await stack.db.select('SELECT license_id FROM shipments WHERE uuid = ?', [body.data.uuid]);
  const input = {
    accountId: stack.account.id,
    shipmentUuid: body.data.uuid,
    licenseId: Number(row?.license_id),
    provider: 'run',
    page: null,
    isOneOfMany: true,
  };
  const full = async () => {
    throw new Error('no place');
  };
  const storage = createStorage(stack.config.storage);
  const given = {
    ...deps(),
    slotsFor: () => full,
    pointSlotsFor: () => full,
    storage,
  };
  const calls = [
    createCancelActivity(given),
    createRefreshPointsActivity(given),
    createFetchLabelActivity(given),
  ];

  for (const call of calls) {
    const work = async () => await call(input as never);
    await t.throwsAsync(new MockActivityEnvironment().run(work), { message: 'no place' });
  }
});

test.serial(
  'a booking waits for a process that can open the secrets, and without settings is refused',
  async (t) => {
    const input = await unsentBooking('sealed-elsewhere');
    const accounts = createCarrierAccounts(stack.db, appKeysOf(randomBytes(32)), carriers);
    const none: BookApp['accounts'] = async () => {
      throw new AccountUnreadable('the license has no settings');
    };

    const waiting = await t.throwsAsync<ApplicationFailure>(book(input, { accounts }) as Promise<unknown>);
    const refused = await book(input, { accounts: none });
    const booked = await book(input);

    t.like(waiting, { type: 'SecretsUnreadable', nonRetryable: false, message: SETTINGS_UNREADABLE });
    t.like(refused, { kind: 'rejected', text: SETTINGS_UNREADABLE });
    t.is(booked.kind, 'accepted');
  },
);

test.serial('a label of a license whose settings cannot be read is refused at once', async (t) => {
  const { body } = await api.create(shipmentBody(stack.account, 'run'));
  const given = {
    ...deps(),
    storage: createStorage(stack.config.storage),
    accounts: async () => {
      throw new AccountUnreadable('the license has no settings');
    },
  };
  const input = { accountId: stack.account.id, shipmentUuid: body.data.uuid, licenseId: 1, provider: 'run' };
  const fetchLabel = createFetchLabelActivity(given);

  const failed = await t.throwsAsync<ApplicationFailure>(
    new MockActivityEnvironment().run(async () => await fetchLabel(input as never)),
  );

  t.like(failed, { nonRetryable: true, message: SETTINGS_UNREADABLE });
});

/** The input of a booking that the carrier refused. */
async function refusedBooking(key: string, provider = 'held-up'): Promise<BookInput> {
  if (provider === 'run') await stack.sandbox.fault({ operation: 'book', kind: 'status', value: 400 });
  else double.next.push({ kind: 'rejected', code: '1', text: 'No such street' });
  const refused = await api.create(shipmentBody(stack.account, provider), key);
  if (provider === 'run') await stack.sandbox.fault({ operation: 'book', kind: 'none' });
  if (refused.status !== 422) throw new Error(refused.text);
  const [row] = await stack.db.select('SELECT workflow_id FROM shipments ORDER BY id DESC LIMIT 1');
  const run = stack.temporal.workflow.getHandle(String(row?.workflow_id));
  const [input] = (await bookingsOf(run)).inputs;
  if (input === undefined) throw new Error('no booking in the history');
  return input;
}

/** A booking that is reserved, and of which nothing was sent. */
function unsentBooking(key: string, provider?: string): Promise<BookInput> {
  return reservedBooking(key, provider, 'DELETE FROM carrier_attempts');
}

/** A booking that was sent an hour ago, got no answer, and is not there. */
function unansweredBooking(key: string, provider = 'run'): Promise<BookInput> {
  const attempts = `UPDATE carrier_attempts SET state = 'unknown', sent_at = sent_at - INTERVAL 1 HOUR`;
  return reservedBooking(key, provider, attempts);
}

/** A second attempt, after {@link unansweredBooking}. */
function addAttempt({ shipment }: BookInput, state: Attempt['state'], code: string) {
  return stack.db.run(
    `INSERT INTO carrier_attempts (shipment_uuid, operation, number, state, outcome_code, account_identity)
     SELECT shipment_uuid, operation, 2, ?, ?, account_identity FROM carrier_attempts WHERE shipment_uuid = ?`,
    [state, code, shipment.uuid],
  );
}

async function reservedBooking(key: string, provider: string | undefined, attempts: string) {
  const input = await refusedBooking(key, provider);
  const { uuid } = input.shipment;
  await stack.db.run(`UPDATE shipments SET state = 'reserved' WHERE uuid = ?`, [uuid]);
  await stack.db.run(`${attempts} WHERE shipment_uuid = ?`, [uuid]);
  return input;
}

function deps() {
  return {
    ...bookApp(stack, carriers),
    elsewhere: new Agent(),
    countPdfPages: async () => null,
  };
}

/** One more try of the same booking. */
async function book(input: BookInput, own: Partial<BookApp> = {}): Promise<BookResult> {
  return await new MockActivityEnvironment().run(createBookActivity({ ...deps(), ...own }), input);
}

async function someoneWaits(): Promise<boolean> {
  const waiting = `SELECT 1 AS waits FROM information_schema.innodb_trx WHERE trx_state = 'LOCK WAIT'`;
  return (await stack.db.select(waiting)).length > 0;
}
