import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import test from 'ava';
import { projectFolder } from '../../tools/launcher/paths.js';
import { CleanUps } from '../support/clean-ups.js';
import { startBadWay } from '../support/fault-proxy.js';
import { patient } from '../support/patience.js';
import { phpSerialTest } from '../support/php.js';
import { startOwnService } from '../support/processes.js';

const ORDERS = Number(process.env.CLIENT_ORDERS ?? 1000);
const AT_A_TIME = 16;
const TRY_SECONDS = 5;
const KILLS = 3;
const seed = Number(process.env.CLIENT_SEED ?? Date.now() % 1_000_000);

/** PHP's report of an order. */
interface Told {
  order: string;
  code: string;
  unknown: boolean;
  tries: number;
}

const owner = new CleanUps();
const { stack, api } = await startOwnService(owner);
test.after.always(() => owner.end());

const badWay = () => startBadWay(owner, api.url, { seed, slowMs: TRY_SECONDS * 1000 + 1000 });

/** Programs of PHP share the orders, each one order at a time. `onTold` may hold back what comes next. */
async function createAll(
  orders: readonly string[],
  url: string,
  onTold: (count: number) => Promise<void>,
  env: Record<string, string> = {},
): Promise<Told[]> {
  const rest = [...orders];
  const told: Told[] = [];
  const { clientId, clientSecret, licenseKeys } = stack.account;
  const client = {
    base_url: url,
    client_id: clientId,
    client_secret: clientSecret,
    license_key: licenseKeys.run,
    timeout: TRY_SECONDS,
  };
  const one = async () => {
    const script = join(projectFolder, 'test/clients/php/fault-orders.php');
    const child = spawn('php', [script], {
      env: { ...process.env, ...env, PARCELWORKS: JSON.stringify(client) },
      stdio: ['pipe', 'pipe', 'inherit'],
    });
    owner.teardown(() => void child.kill('SIGKILL'));
    const ended = new Promise<number | null>((resolve) => child.once('close', resolve));
    const ask = () => {
      const order = rest.shift();
      if (order === undefined) child.stdin.end();
      else child.stdin.write(`${order}\n`);
    };
    ask();
    for await (const line of createInterface({ input: child.stdout })) {
      told.push(JSON.parse(line));
      await onTold(told.length);
      ask();
    }
    const code = await ended;
    if (code !== 0) throw new Error(`PHP ended with ${code}`);
  };
  await Promise.all(Array.from({ length: Math.min(AT_A_TIME, orders.length) }, one));
  return told;
}

phpSerialTest(
  `PHP create: one parcel an order when the way is bad and the API is killed (${ORDERS} orders)`,
  async (t) => {
    t.timeout(patient(900_000));
    const proxy = await badWay();
    const orders = Array.from({ length: ORDERS }, (_, index) => `php-${seed}-${index}`);
    let kills = 0;
    const killAt = async (count: number) => {
      if (count % Math.ceil(ORDERS / (KILLS + 1)) !== 0) return;
      kills += 1;
      await api.process.kill9();
      await api.process.start();
    };

    const told = await createAll(orders, proxy.url, killAt);

    const unknown = told.filter((one) => one.unknown).length;
    const repeated = told.filter((one) => one.tries > 1).length;
    t.log(
      `seed ${seed}, ${kills} kills, ${repeated} repeated, ${unknown} unknown and resolved, ${JSON.stringify([...proxy.counts])}`,
    );
    const ledger = await stack.sandbox.ledger();
    t.true(kills >= KILLS);
    t.true(repeated > 0);
    t.is(ledger.length, ORDERS);
    t.deepEqual(told.map(({ order }) => order).sort(), orders.toSorted());
    t.deepEqual(ledger.map(({ code }) => code).sort(), told.map(({ code }) => code).sort());
  },
);

phpSerialTest('PHP create: the same way doubles parcels when each try has a key of its own', async (t) => {
  t.timeout(patient(300_000));
  const proxy = await badWay();
  const before = (await stack.sandbox.ledger()).length;
  const orders = Array.from({ length: 60 }, (_, index) => `anew-${seed}-${index}`);

  await createAll(orders, proxy.url, async () => undefined, { ANEW: '1' });

  const booked = (await stack.sandbox.ledger()).length - before;
  t.log(`${booked} parcels for ${orders.length} orders`);
  t.true(booked > orders.length);
});
