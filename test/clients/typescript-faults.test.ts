import { randomUUID } from 'node:crypto';
import test from 'ava';
import { shipmentBody } from '../support/api-client.js';
import { CleanUps } from '../support/clean-ups.js';
import { startBadWay } from '../support/fault-proxy.js';
import { patient } from '../support/patience.js';
import { startOwnService } from '../support/processes.js';
import { client, clientOf } from '../support/typescript-client.js';

const ORDERS = Number(process.env.CLIENT_ORDERS ?? 1000);
const AT_A_TIME = 24;
const TRY_MS = 5000;
const KILLS = 3;
const seed = Number(process.env.CLIENT_SEED ?? Date.now() % 1_000_000);

const owner = new CleanUps();
const { stack, api } = await startOwnService(owner);
test.after.always(() => owner.end());

const badWay = () => startBadWay(owner, api.url, { seed, slowMs: TRY_MS + 1000 });

/** Does the work for each, some at a time. */
async function forEach<T>(
  items: readonly T[],
  work: (item: T, index: number) => Promise<void>,
): Promise<void> {
  const rest = [...items.entries()];
  const one = async () => {
    for (let next = rest.shift(); next !== undefined; next = rest.shift()) await work(next[1], next[0]);
  };
  await Promise.all(Array.from({ length: AT_A_TIME }, one));
}

test.serial(
  `createShipment: one parcel an order when the way is bad and the API is killed (${ORDERS} orders)`,
  async (t) => {
    t.timeout(patient(600_000));
    const proxy = await badWay();
    const parcels = clientOf(proxy.url, stack.account, { tryTimeoutMs: TRY_MS });
    const bodies = Array.from({ length: ORDERS }, () => shipmentBody(stack.account, 'run'));
    const known = new Map<string, any>();
    const keys = new Map<string, string>();
    let unknown = 0;
    let kills = 0;

    await forEach(bodies, async (body, index) => {
      const { id } = body.order;
      const created = parcels.createShipment(body);
      if (index > 0 && index % Math.ceil(ORDERS / (KILLS + 1)) === 0) {
        kills += 1;
        await api.process.kill9();
        await api.process.start();
      }
      const answer = await created.catch((error: any) => {
        if (!(error instanceof client.UnknownOutcomeError)) throw error;
        unknown += 1;
        keys.set(id, error.key);
        return error.resolve();
      });
      t.is(answer.key, keys.get(id) ?? answer.key);
      known.set(id, answer.isRunning ? await parcels.createShipment(body, { key: answer.key }) : answer);
    });

    t.log(`seed ${seed}, ${kills} kills, ${unknown} unknown, ${JSON.stringify([...proxy.counts])}`);
    const ledger = await stack.sandbox.ledger();
    const codes = [...known.values()].map(({ data }) => data.tracking_code);
    t.is(kills, KILLS);
    t.is(ledger.length, ORDERS);
    t.deepEqual(ledger.map(({ code }) => code).sort(), codes.sort());
    const orders: string[] = [];
    // Five tries of a read fail once in a hundred where two of five exchanges do, and there are ten pages.
    const patientReader = clientOf(proxy.url, stack.account, { tryTimeoutMs: TRY_MS, maxTries: 15 });
    for await (const { order } of patientReader.listShipments({
      license_key: stack.account.licenseKeys.run,
      per_page: 100,
    }))
      orders.push(order.id);
    t.deepEqual(orders.sort(), bodies.map(({ order }) => order.id).sort());
  },
);

test.serial('createShipment: the same way doubles parcels when each try has another key', async (t) => {
  t.timeout(patient(300_000));
  const proxy = await badWay();
  const before = (await stack.sandbox.ledger()).length;
  const otherKey = (url: string, init: RequestInit) => {
    const headers = { ...(init.headers as Record<string, string>), 'Idempotency-Key': randomUUID() };
    return fetch(url, { ...init, headers });
  };
  const parcels = clientOf(proxy.url, stack.account, { tryTimeoutMs: TRY_MS, fetch: otherKey });
  const bodies = Array.from({ length: 60 }, () => shipmentBody(stack.account, 'run'));

  await forEach(bodies, async (body) => {
    await parcels.createShipment(body).catch((error: any) => error.resolve());
  });

  const booked = (await stack.sandbox.ledger()).length - before;
  t.log(`${booked} parcels for ${bodies.length} orders`);
  t.true(booked > bodies.length);
});
