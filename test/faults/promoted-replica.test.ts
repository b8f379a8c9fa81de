import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import test from 'ava';
import { type Connection, createConnection } from 'mysql2/promise';
import { findMysql, type MysqlInstall, mysqlSpec, mysqlUrl } from '../../tools/engines/mysql.js';
import { findTemporalCli, temporalSpec } from '../../tools/engines/temporal.js';
import { shipmentBody } from '../support/api-client.js';
import { CleanUps } from '../support/clean-ups.js';
import { eventually } from '../support/conditions.js';
import { startGateway } from '../support/gateway.js';
import { violations } from '../support/invariants.js';
import { patient } from '../support/patience.js';
import {
  type ApiProcess,
  anyPort,
  startApiProcess,
  startWorkerProcess,
  TestProcess,
  temporaryFolder,
} from '../support/processes.js';
import { startStack, type TestStack } from '../support/stack.js';
import { sendV1 } from '../support/v1.js';
import { Load } from './load.js';

const CLIENTS = 16;
/** Creations that the replica misses: about three seconds of creations. */
const LOST_CREATIONS = 60;

const owner = new CleanUps();
test.after.always(() => owner.end());

test.serial(
  'a promoted replica that misses the last seconds: no second parcel, and no parcel unknown',
  async (t) => {
    t.timeout(patient(300_000));
    const install = await findMysql();
    if (install.kind !== 'binary' || !install.isMariaDb) {
      t.log('skipped: replication is set up for MariaDB only');
      return t.pass();
    }
    const [primary, replica] = [await startServer(install, 1), await startServer(install, 2)];
    await follow(replica.connection, primary.port);
    const gateway = await startGateway(mysqlUrl(primary.port, 'parcelworks'));
    owner.teardown(() => gateway.close());
    const stack = await startStack({
      engines: { databaseUrl: gateway.url, temporalAddress: await startTemporal() },
    });
    owner.teardown(() => stack.close());
    const api = await startApiProcess(owner, stack, { CREATE_WAIT_MS: '5000' });
    const worker = await startWorkerProcess(owner, stack);
    const shop = new Shop(stack, api);
    const load = new Load([api.url], stack.account, [202, 500, 503]).start(t, CLIENTS);
    t.teardown(() => {
      if (!t.passed) t.log(load.summary, load.unexpected.slice(0, 5), worker.log, api.process.log);
    });
    await eventually(() => load.remembered.length > CLIENTS, 'the load to be under way');

    const position = await positionOf(primary.connection);
    await eventually(
      async () => (await positionOf(replica.connection)) === position,
      'the replica',
      30_000,
    ).catch(() => undefined);
    await replica.connection.query('STOP SLAVE');
    const known = load.remembered.length;
    const told = await shop.buy();
    await eventually(() => load.remembered.length > known + LOST_CREATIONS, 'creations that will be lost');
    await primary.process.kill9();
    gateway.cut();
    await replica.connection.query('RESET SLAVE ALL');
    gateway.leadTo(replica.port);
    gateway.mend();
    const before = load.remembered.length;
    await eventually(
      () => load.remembered.length > before + CLIENTS,
      'creations after the fail-over',
      120_000,
    );
    await load.stop();

    const lost = await missing(stack, load);
    const again = await repeatAll(api, load);
    const toldAgain = await shop.buy();
    const unknown = await unknownOf(api, [...load.remembered.map(uuidOf), ...told.batch]);
    t.log(`${load.summary}; ${lost} of them lost`);

    t.true(lost >= LOST_CREATIONS / 2, `${lost} lost`);
    t.deepEqual(load.unexpected, []);
    t.deepEqual(again, []);
    t.deepEqual(toldAgain, told);
    t.is(await shop.statusOf(told.code), 200);
    t.deepEqual(unknown, []);
    t.deepEqual(await violations(stack, api.client, load.remembered), [], worker.log);
    t.deepEqual(await ordersWithSeveral(stack), []);
  },
);

/** A caller of API v1 and of batches, who repeats what it did. */
class Shop {
  readonly #order = `v1-${randomBytes(4).toString('hex')}`;
  readonly #key = { 'idempotency-key': `batch-${randomBytes(4).toString('hex')}` };
  readonly #batch: object;

  constructor(
    readonly stack: TestStack,
    readonly api: ApiProcess,
  ) {
    this.#batch = {
      license_key: stack.account.licenseKeys.run,
      shipments: [1, 2, 3].map(() => shipmentBody(stack.account, 'run')),
    };
  }

  get #license() {
    return { license_key: this.stack.account.licenseKeys.run, domain: 'shop.test' };
  }

  /** API v1's answer about a parcel that it told of. */
  async statusOf(code: string): Promise<number> {
    const json = { ...this.#license, shipping_id: code };
    const { url } = this.api;
    return (await sendV1({ url }, 'POST', '/shipping/get_shipping_status', { json })).status;
  }

  async buy(): Promise<{ code: string; batchId: string; batch: string[] }> {
    const { client, url } = this.api;
    const json = {
      ...this.#license,
      ship_data: { contact_name: 'Dana', street: 'Herzl', number: '5', city: 'Haifa' },
      order: { id: this.#order },
    };
    const opened = await sendV1({ url }, 'POST', '/shipping/open_new_order', { json });
    const accepted = await client.post('/batches', this.#batch, this.#key);
    if (accepted.status !== 202) throw new Error(accepted.text);
    const batchId: string = accepted.body.data.id;
    const batch = await eventually(async () => {
      const { body } = await client.get(`/batches/${batchId}/items`);
      const items: { shipment_id: string | null }[] = body.data ?? [];
      return items.length === 3 && items.every((item) => item.shipment_id !== null) && items;
    }, 'the items of the batch');
    return { code: opened.body.data.code, batchId, batch: batch.map((item) => String(item.shipment_id)) };
  }
}

async function startServer(install: MysqlInstall, id: number) {
  const folder = temporaryFolder(owner);
  const port = await anyPort();
  const options = {
    folder: join(folder, 'mysql'),
    port,
    logFile: join(folder, 'mysql.log'),
    disposable: true,
  };
  const spec = await mysqlSpec(install, options);
  const args = [...spec.args, `--server-id=${id}`, '--log-bin=bin', '--log-slave-updates'];
  const process = await new TestProcess(owner, { ...spec, args }).start();
  const connection = await createConnection({ host: '127.0.0.1', port, user: 'root' });
  // It ends with its server.
  connection.on('error', () => undefined);
  owner.teardown(() => connection.destroy());
  return { process, port, connection };
}

async function startTemporal(): Promise<string> {
  const folder = temporaryFolder(owner);
  const port = await anyPort();
  const spec = temporalSpec(await findTemporalCli(), {
    port,
    uiPort: null,
    databaseFile: join(folder, 'temporal.db'),
    logFile: join(folder, 'temporal.log'),
    manyNamespaces: true,
  });
  await new TestProcess(owner, spec).start();
  return `127.0.0.1:${port}`;
}

async function follow(replica: Connection, port: number): Promise<void> {
  await replica.query(
    `CHANGE MASTER TO MASTER_HOST = '127.0.0.1', MASTER_PORT = ${port}, MASTER_USER = 'root',
       MASTER_USE_GTID = slave_pos`,
  );
  await replica.query('START SLAVE');
}

async function positionOf(connection: Connection): Promise<string> {
  const [rows] = await connection.query('SELECT @@gtid_current_pos AS position');
  return String((rows as { position: string }[])[0]?.position);
}

function uuidOf({ text }: { text: string }): string {
  return JSON.parse(text).data.uuid;
}

/** How many answered creations the promoted server does not know. */
async function missing(stack: TestStack, load: Load): Promise<number> {
  const rows = await stack.db.select('SELECT uuid FROM shipments');
  const known = new Set(rows.map((row) => String(row.uuid)));
  return load.remembered.filter((one) => !known.has(uuidOf(one))).length;
}

/** Repeats every request as its caller would, all at once as the callers do; returns what was answered otherwise. */
async function repeatAll({ client }: ApiProcess, load: Load): Promise<string[]> {
  const waiting = [...load.remembered];
  const wrong: string[] = [];
  const caller = async () => {
    for (let one = waiting.pop(); one !== undefined; one = waiting.pop()) {
      const { key, body, text } = one;
      let answer = await client.create(body, key);
      while (answer.status === 503) {
        await delay(100);
        answer = await client.create(body, key);
      }
      if (answer.text !== text) wrong.push(`${key}: ${answer.status} ${answer.text}`);
    }
  };
  await Promise.all(Array.from({ length: CLIENTS }, caller));
  return wrong;
}

async function unknownOf({ client }: ApiProcess, uuids: readonly string[]): Promise<string[]> {
  const unknown: string[] = [];
  for (const uuid of uuids) if ((await client.get(`/shipments/${uuid}`)).status !== 200) unknown.push(uuid);
  return unknown;
}

/** Orders of which the carrier has more than one parcel. */
async function ordersWithSeveral(stack: TestStack): Promise<string[]> {
  const orders = await stack.db.select(
    `SELECT o.order_id FROM orders o JOIN shipments s ON s.order_id = o.id WHERE s.state = 'created'
     GROUP BY o.order_id HAVING COUNT(*) > 1`,
  );
  return orders.map((row) => String(row.order_id));
}
