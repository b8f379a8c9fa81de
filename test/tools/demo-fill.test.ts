import test from 'ava';
import { SHIPPING_STATUSES } from '../../src/domain/statuses.js';
import { type DemoApi, openDemoApi } from '../../tools/demo/api.js';
import { fillDays } from '../../tools/demo/day-fill.js';
import { type DemoFilling, fillDemo } from '../../tools/demo/fill.js';
import { demoParcels, TELLING_LICENSES } from '../../tools/demo/parcels.js';
import { trackedParcel } from '../../tools/demo/tracked.js';
import { eventually } from '../support/conditions.js';
import { seedStackDemo } from '../support/demo.js';
import { patient } from '../support/patience.js';
import { startStack, type TestStack } from '../support/stack.js';

let stack: TestStack;
let filling: DemoFilling;

test.before(async (t) => {
  t.timeout(patient(120_000));
  stack = await startStack();
  const baseUrl = await stack.startApi();
  await stack.startWorkers();
  const { secrets, data, sandboxes } = await seedStackDemo(stack, baseUrl);
  for (const [provider, url] of Object.entries(data.webhooks)) {
    await stack.sandboxes.get(provider)?.configure({ webhook_url: url });
  }
  const shops = [
    { credentials: secrets.first, licenses: data.first },
    { credentials: secrets.second, licenses: data.second },
    { credentials: secrets.third, licenses: data.third },
  ];
  filling = {
    baseUrl,
    databaseUrl: stack.config.databaseUrl,
    sandboxes,
    shops,
    stopping: new AbortController().signal,
  };
});
test.after.always(() => stack?.close());

/** Order → status of every shipment that is not refused. */
async function statuses(): Promise<Map<string, string>> {
  const rows = await stack.db.select(
    `SELECT o.order_id, s.status_code FROM shipments s JOIN orders o ON o.id = s.order_id
     WHERE s.state <> 'refused' ORDER BY s.id`,
    [],
  );
  return new Map(rows.map((row) => [String(row.order_id), String(row.status_code)]));
}

/** Parcels that the carriers have really booked. */
async function parcels(): Promise<number> {
  const ledgers = await Promise.all([...stack.sandboxes.values()].map((sandbox) => sandbox.ledger()));
  return ledgers.flat().length;
}

function firstShop(): DemoApi {
  const { baseUrl, shops, stopping } = filling;
  const { credentials } = shops[0] ?? { credentials: { clientId: '', clientSecret: '' } };
  return openDemoApi(baseUrl, credentials, stopping);
}

/** Where each parcel of the demo ends. */
function ends(): Map<string, string> {
  const planned = filling.shops.flatMap(({ licenses }) => licenses.flatMap(demoParcels));
  return new Map(
    planned
      .filter(({ end }) => end !== 'refused')
      .map(({ orderId, path, end }) => {
        if (end === 'cancelled') return [orderId, 'cancelled'];
        return [orderId, end === 'unanswered' ? 'needs_attention' : (path.at(-1) ?? 'created')];
      }),
  );
}

test.serial('the demo has a parcel in every status, and a second start changes none', async (t) => {
  t.timeout(patient(180_000));
  await fillDemo(filling);
  const expected = ends();
  const reached = await eventually(async () => {
    const found = await statuses();
    return [...expected].every(([orderId, status]) => found.get(orderId) === status) && found;
  }, 'every parcel in its status').catch(() => statuses());
  const booked = await parcels();
  const run = stack.sandboxes.get('run');
  const api = firstShop();
  const [moved] = await api.list('filter[order_id]=demo-run-created');
  await run?.advance(moved?.code ?? '', 'delivered');
  await api.refresh(moved?.uuid ?? '');

  await fillDemo(filling);

  t.deepEqual(Object.fromEntries(reached), Object.fromEntries(expected));
  t.deepEqual(
    SHIPPING_STATUSES.map(({ code }) => code).filter((code) => ![...expected.values()].includes(code)),
    ['pending'],
  );
  t.deepEqual(Object.fromEntries(await statuses()), {
    ...Object.fromEntries(expected),
    'demo-run-created': 'delivered',
  });
  t.is(await parcels(), booked);
});

test.serial(
  'the demo shows cash, packages, a round trip, a collection, and a point with its address',
  async (t) => {
    const [row] = await stack.db.select(
      `SELECT SUM(s.cod_amount IS NOT NULL) AS cash, SUM(s.packages > 1) AS packages, SUM(s.service_type = 2) AS collections,
       SUM(s.pickup_point_id IS NOT NULL) AS points, SUM(p.street IS NOT NULL) AS addresses
     FROM shipments s
     LEFT JOIN pickup_points p ON p.license_id = s.license_id AND p.point_id = s.pickup_point_id
     WHERE s.state = 'created'`,
      [],
    );

    for (const name of ['cash', 'packages', 'collections', 'points']) t.true(Number(row?.[name]) > 0, name);
    t.is(Number(row?.addresses), Number(row?.points));
  },
);

test.serial('recipients of some licenses are written to from the start, and of no others', async (t) => {
  const rows = await stack.db.select(
    'SELECT DISTINCT l.license_key FROM notification_logs n JOIN licenses l ON l.id = n.license_id',
    [],
  );

  t.deepEqual(rows.map((row) => String(row.license_key)).sort(), [...TELLING_LICENSES].sort());
});

test.serial('the parcel of the tracking page is one that can still be moved', async (t) => {
  const api = firstShop();
  const first = await trackedParcel(api);
  const again = await trackedParcel(api);
  await stack.sandboxes.get('lionwheel')?.advance(first.code, 'delivered');
  await eventually(async () => (await statuses()).get(first.orderId) === 'delivered', 'the delivery');

  const next = await trackedParcel(api);

  t.is(first.status, 'created');
  t.deepEqual(again, first);
  t.not(next.uuid, first.uuid);
  t.is(next.status, 'created');
});

test.serial("the shops' last days: three shops, refused and waiting ones, a batch half failed", async (t) => {
  t.timeout(patient(240_000));
  await fillDays(filling);
  const count = async (sql: string) => Number((await stack.db.select(sql))[0]?.n);
  await eventually(
    async () => (await count('SELECT SUM(pending_count) AS n FROM batches')) === 0,
    'the batch',
  );
  const before = await parcels();

  await fillDays(filling);

  t.is(await parcels(), before);
  const days = await count(
    `SELECT COUNT(DISTINCT account_id, DATE(created_at)) AS n FROM shipments WHERE state = 'created'`,
  );
  t.true(days >= 12, `${days} days of three shops`);
  t.true((await count("SELECT COUNT(*) AS n FROM shipments WHERE status_code = 'delivered'")) > 80);
  t.is(await count("SELECT COUNT(*) AS n FROM shipments WHERE state = 'refused'"), 5);
  t.is(await count("SELECT COUNT(*) AS n FROM shipments WHERE state = 'reserved'"), 3);
  t.is(await count('SELECT SUM(failed_count) AS n FROM batches'), 5);
  t.is(await count('SELECT COUNT(*) AS n FROM exports'), 5);
  const longest = await count(
    'SELECT MAX(TIMESTAMPDIFF(HOUR, created_at, delivered_at)) AS n FROM shipments WHERE delivered_at IS NOT NULL',
  );
  t.true(longest > 12 && longest < 24 * 6, `${longest} hours to the door`);
});
