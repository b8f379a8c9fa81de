import { createServer, type ServerResponse } from 'node:http';
import test, { type ExecutionContext } from 'ava';
import { carrierFor } from '../../src/carriers/registry.js';
import { Slots } from '../../src/lib/limits/slots.js';
import { account, booking } from '../carriers/support.js';
import { ApiClient, shipmentBody } from '../support/api-client.js';
import { insertCarrierLicense } from '../support/carrier-licenses.js';
import { settingsAt } from '../support/carrier-settings.js';
import { eventually } from '../support/conditions.js';
import { appKeysOf, insertTestShipment, type TestLicense } from '../support/factories.js';
import { listen } from '../support/local-server.js';
import { patient } from '../support/patience.js';
import { startStack, type TestStack } from '../support/stack.js';

const DUE_LONG_AGO = '2026-01-01 00:00:00';
const DUE_SINCE = '2026-02-01 00:00:00';
/** As of a license that says nothing of it. */
const USUAL_TIMEOUT_MS = 15_000;

let stack: TestStack;

test.before(async () => {
  stack = await startStack();
  await stack.startWorkers();
});

test.after.always(() => stack?.close());

test.serial(
  'licenses whose settings cannot be read stop no other one, and are left for an hour',
  async (t) => {
    const healthy = await newLicense();
    const empty = await newLicense();
    const sealed = await newLicense();
    const broken = [...(await parcelsOf(empty, 1)), ...(await parcelsOf(sealed, 1))];
    const fine = await parcelsOf(healthy, 5, DUE_SINCE);
    await stack.db.run('DELETE FROM license_settings WHERE license_id = ?', [empty.licenseId]);
    await stack.db.run('UPDATE license_settings SET secrets = ? WHERE license_id = ?', [
      appKeysOf(Buffer.alloc(32, 99)).seal('carrier settings', '{"token":"sandbox-token"}'),
      sealed.licenseId,
    ]);

    const result = await poll('unreadable');

    t.deepEqual(result, { checked: 5, changed: 0 });
    t.is(await countAsked(fine), 5);
    t.is(await countAsked(broken), 0);
    t.deepEqual(await minutesLeft(broken), [59, 59]);
  },
);

test.serial('parcels of a disabled account are left for an hour', async (t) => {
  const parcels = await parcelsOf(await newLicense(), 2);
  const { id } = stack.account;
  await stack.db.run('UPDATE accounts SET disabled_at = NOW(6) WHERE id = ?', [id]);
  t.teardown(() => stack.db.run('UPDATE accounts SET disabled_at = NULL WHERE id = ?', [id]));

  const result = await poll('disabled');

  t.deepEqual(result, { checked: 0, changed: 0 });
  t.is(await countAsked(parcels), 0);
  t.deepEqual(await minutesLeft(parcels), [59, 59]);
});

test.serial(
  'parcels stay with the carrier that booked them when the company of a license moves',
  async (t) => {
    const moved = await newLicense();
    const parcels = await parcelsOf(moved, 2);
    await stack.db.run(
      `UPDATE companies SET carrier_id = (SELECT id FROM carriers WHERE provider = 'independent') WHERE id = ?`,
      [moved.companyId],
    );

    const result = await poll('moved-company');

    t.deepEqual(result, { checked: 2, changed: 0 });
    t.is(await countAsked(parcels), 2);
  },
);

test.serial('a creation of a license without settings is refused at once, and nothing is kept', async (t) => {
  const api = new ApiClient(await stack.startApi(), stack.account);
  const broken = await newLicense();
  await stack.db.run('DELETE FROM license_settings WHERE license_id = ?', [broken.licenseId]);

  const refused = await api.create({ ...shipmentBody(stack.account, 'run'), license_key: broken.key });

  t.is(refused.status, 422, refused.text);
  t.is(refused.body.error.code, 'carrier_rejected');
  const kept = await stack.db.select('SELECT id FROM idempotency_keys WHERE account_id = ?', [
    broken.accountId,
  ]);
  t.deepEqual(kept, []);
});

test.serial(
  'a license whose host hangs and one without settings starve nobody within two ticks',
  async (t) => {
    const host = await startHangingHost(t);
    const [one, another, empty, hanging] = [
      await newLicense(),
      await newLicense(),
      await newLicense(),
      await newLicense(host.url, { timeout_ms: USUAL_TIMEOUT_MS }),
    ];
    const away = [...(await parcelsOf(hanging, 30)), ...(await parcelsOf(empty, 20))];
    await stack.db.run('DELETE FROM license_settings WHERE license_id = ?', [empty.licenseId]);
    const healthy = [
      ...(await parcelsOf(one, 750, DUE_SINCE)),
      ...(await parcelsOf(another, 250, DUE_SINCE)),
    ];

    const first = poll('hanging-1');
    await eventually(
      async () => host.held() > 0 && (await countAsked(healthy)) > 0,
      'healthy parcels to be asked about while the host hangs',
    );
    const ticks = [await first, await poll('hanging-2')];

    t.is(await countAsked(healthy), 1000);
    t.is(
      ticks.reduce((sum, { checked }) => sum + checked, 0),
      1000,
    );
    t.is(await countAsked(away), 0);
    t.true((await minutesLeft(away)).every((minutes) => minutes >= 2));
    t.true(host.calls() <= 4, `the hanging host was asked ${host.calls()} times`);
  },
);

test.serial(
  'a carrier that asks for time is left alone for that long, and the others of its page are asked',
  async (t) => {
    const host = await startHost(t, (response) => response.writeHead(429, { 'retry-after': '1200' }).end());
    const throttled = await newLicense(host.url);
    const healthy = await newLicense();
    const waiting = await parcelsOf(throttled, 12);
    const fine = await parcelsOf(healthy, 3, DUE_SINCE);

    const result = await poll('throttled');

    t.deepEqual(result, { checked: 3, changed: 0 });
    t.is(await countAsked(fine), 3);
    t.true((await minutesLeft(waiting)).every((minutes) => minutes === 19));
    t.true(host.calls() <= 4, `the carrier was asked ${host.calls()} times`);
  },
);

/** A carrier's host that takes requests and never answers. */
async function startHangingHost(t: ExecutionContext) {
  return await startHost(t, () => undefined);
}

async function startHost(t: ExecutionContext, answer: (response: ServerResponse) => unknown) {
  let calls = 0;
  let held = 0;
  const server = createServer((_request, response) => {
    calls += 1;
    held += 1;
    response.once('close', () => {
      held -= 1;
    });
    answer(response);
  });
  const { url, close } = await listen(server);
  t.teardown(close);
  return { url, calls: () => calls, held: () => held };
}

async function newLicense(baseUrl = stack.sandbox.url, settings = {}): Promise<TestLicense> {
  const accountId = stack.account.id;
  const { id, key, carrierId } = await insertCarrierLicense(stack, {
    accountId,
    provider: 'run',
    baseUrl,
    settings,
  });
  const [row] = await stack.db.select('SELECT company_id FROM licenses WHERE id = ?', [id]);
  return { accountId, licenseId: id, carrierId, companyId: Number(row?.company_id), key };
}

function sandboxAccount() {
  const { settings, secrets } = settingsAt('run', stack.sandbox.url);
  // A busy machine answers later than a carrier would.
  return account({ ...settings, timeout_ms: 60_000 }, secrets);
}

/** Shipments of the license which the sandbox has booked, due since `since`; gives their ids. */
async function parcelsOf(license: TestLicense, count: number, since = DUE_LONG_AGO): Promise<number[]> {
  const few = new Slots({ total: 10 });
  const context = () => ({ account: sandboxAccount(), signal: AbortSignal.timeout(60_000) });
  return await Promise.all(
    Array.from({ length: count }, async () => {
      const request = booking();
      const outcome = await few.use(() => carrierFor('run').book(request, context()));
      if (outcome.kind !== 'accepted') throw new Error(`the sandbox booked nothing: ${outcome.text}`);
      const { id } = await insertTestShipment(stack.db, license, {
        uuid: request.reference,
        tracking_code: outcome.value.trackingCode,
        next_poll_at: since,
      });
      return id;
    }),
  );
}

async function countAsked(ids: readonly number[]): Promise<number> {
  const [row] = await stack.db.select(
    `SELECT COUNT(checked_at) AS asked FROM shipments WHERE id IN (${ids.join(', ')})`,
  );
  return Number(row?.asked);
}

async function minutesLeft(ids: readonly number[]): Promise<number[]> {
  const rows = await stack.db.select(
    `SELECT TIMESTAMPDIFF(MINUTE, NOW(6), next_poll_at) AS minutes FROM shipments WHERE id IN (${ids.join(', ')})`,
  );
  return rows.map((row) => Number(row.minutes));
}

async function poll(name: string): Promise<{ checked: number; changed: number }> {
  return await stack.temporal.workflow.execute('pollCarrier', {
    taskQueue: 'shipments',
    workflowId: `polling-trouble-${name}`,
    workflowExecutionTimeout: patient(55_000),
    args: [{ provider: 'run' }],
  });
}
