import { setTimeout as delay } from 'node:timers/promises';
import { type ApiClient, shipmentBody } from '../support/api-client.js';
import type { HttpAnswer } from '../support/http-send.js';
import { patient } from '../support/patience.js';
import type { TestStack } from '../support/stack.js';
import { type Ask, askV1, TwoNodeAsks } from './two-node-asks.js';

const ITEMS = 8;
const BATCH_PAUSE_MS = 3000;
const BATCH_LOOK_MS = 500;
const BATCH_ENDS_MS = 240_000;
const REFUSED_ORDER = 409;

type Clients = readonly [ApiClient, ApiClient];

/** Callers who do at two APIs at once what only one may succeed with, and read at one what the other answered. */
export class TwoNodeCallers {
  readonly #asks = new TwoNodeAsks();
  readonly #stack: TestStack;
  readonly #clients: Clients;
  /** Shipments that a caller has heard of. */
  readonly #told: string[] = [];
  readonly #done = new Map<string, number>();

  constructor(stack: TestStack, clients: Clients) {
    this.#stack = stack;
    this.#clients = clients;
  }

  get summary(): string {
    const done = [...this.#done].map(([what, count]) => `${count} ${what}`);
    return `${done.join(', ')}; answers: ${this.#asks.summary}`;
  }

  /** One caller of each kind, each with two requests at a time. */
  async ask(goesOn: () => boolean): Promise<void> {
    const kinds = [this.#pair, this.#cancelBesideCreate, this.#orderOfV1, this.#batch];
    await Promise.all(
      kinds.map(async (kind) => {
        for (let turn = 0; goesOn(); turn += 1) {
          const [one, other] = this.#clients;
          await kind.call(this, turn % 2 === 0 ? [one, other] : [other, one], turn);
        }
      }),
    );
  }

  /** Broken promises, once nothing is under way. */
  async violations(): Promise<string[]> {
    const { db, sandbox } = this.#stack;
    const rows = await db.select(
      "SELECT uuid, tracking_code, status_code FROM shipments WHERE state = 'created'",
    );
    const known = new Set(rows.map((row) => row.uuid));
    const gone = new Set(
      rows.filter((row) => row.status_code === 'cancelled').map((row) => row.tracking_code),
    );
    const twice = await db.select(
      `SELECT order_id, COUNT(*) AS parcels FROM shipments
       WHERE is_active AND state IN ('reserved', 'created') GROUP BY order_id, service_type HAVING COUNT(*) > 1`,
    );
    return [
      ...this.#asks.wrong,
      ...this.#told.filter((uuid) => !known.has(uuid)).map((uuid) => `told of and lost: ${uuid}`),
      ...(await sandbox.ledger())
        .filter(({ code, status }) => gone.has(code) && status !== 'cancelled')
        .map(({ code }) => `cancelled here and live at the carrier: ${code}`),
      ...twice.map((row) => `order ${row.order_id} has ${row.parcels} live parcels`),
    ];
  }

  #count(what: string): void {
    this.#done.set(what, (this.#done.get(what) ?? 0) + 1);
  }

  /** Notes the shipment, which the other node must show at once. */
  async #tell(answer: HttpAnswer | null, reader: ApiClient, status?: string): Promise<string | null> {
    if (answer === null) return null;
    const { uuid } = answer.body.data;
    this.#told.push(uuid);
    const read = await this.#asks.once('read', reader, (client) => client.get(`/shipments/${uuid}`));
    this.#count('reads at the other node');
    if (read !== null && read.status !== 200) this.#asks.wrong.push(`read: ${read.status} ${uuid}`);
    const shown = read?.body.data?.status.code;
    if (read?.status === 200 && status !== undefined && shown !== status)
      this.#asks.wrong.push(`read: ${shown} instead of ${status} ${uuid}`);
    return uuid;
  }

  #create(body: object, key = this.#asks.key()): Ask {
    return (client) => client.create(body, key);
  }

  /** One order by two callers: one parcel. After its cancellation once more. */
  async #pair(clients: Clients): Promise<void> {
    const body = shipmentBody(this.#stack.account, 'run');
    for (const round of ['first', 'again']) {
      const answers = await Promise.all(
        clients.map((client) => this.#asks.once(`pair, ${round}`, client, this.#create(body))),
      );
      this.#count('orders by two callers');
      const statuses = answers.map((answer) => answer?.status ?? 503);
      const isKnown = statuses.every((status) => [201, 202, REFUSED_ORDER, 503].includes(status));
      if (!isKnown || statuses.filter((status) => status === 201).length > 1)
        this.#asks.wrong.push(`pair, ${round}: ${statuses.join(' ')}`);
      const made = answers.find((answer) => answer?.status === 201) ?? null;
      const reader = answers[0] === made ? clients[1] : clients[0];
      const uuid = await this.#tell(made, reader);
      if (uuid === null) return;
      const cancelled = await this.#cancel(uuid, reader);
      if (cancelled === null) return;
      await this.#tell(cancelled, reader === clients[0] ? clients[1] : clients[0], 'cancelled');
    }
  }

  async #cancel(uuid: string, client: ApiClient): Promise<HttpAnswer | null> {
    const answer = await this.#asks.once('cancel', client, (at) => at.post(`/shipments/${uuid}/cancel`, {}));
    if (answer === null || answer.status === 200) return answer;
    this.#asks.wrong.push(`cancel: ${answer.status} ${answer.text}`);
    return null;
  }

  /** A parcel is cancelled while its order is asked for once more; then the order is free at both nodes. */
  async #cancelBesideCreate([one, other]: Clients): Promise<void> {
    const body = shipmentBody(this.#stack.account, 'run');
    const key = this.#asks.key();
    const first = await this.#asks.until('create', [one], { ask: this.#create(body), statuses: [201] });
    const uuid = await this.#tell(first, other);
    if (uuid === null) return;
    const [cancelled, beside] = await Promise.all([
      this.#cancel(uuid, other),
      this.#asks.once('create beside cancel', one, this.#create(body, key)),
    ]);
    this.#count('cancels beside creates');
    if (beside !== null && ![201, 202, REFUSED_ORDER].includes(beside.status))
      this.#asks.wrong.push(`create beside cancel: ${beside.status} ${beside.text}`);
    if (cancelled === null) return;
    await this.#tell(cancelled, one, 'cancelled');
    const again = { ask: this.#create(body, key), statuses: [201] };
    await this.#tell(await this.#asks.until('create after cancel', [one], again), other);
  }

  /** The order of a plugin that asks twice: one parcel, and the same code from both nodes. */
  async #orderOfV1(clients: Clients): Promise<void> {
    const { order, license_key } = shipmentBody(this.#stack.account, 'run');
    const ship_data = { contact_name: 'Dana', street: 'Herzl', number: '5', city: 'Haifa' };
    const ask = askV1('/shipping/open_new_order', { license_key, domain: 'shop.test', ship_data, order });
    const [one, other] = clients;
    const answers = await Promise.all([
      this.#asks.until('v1', [one], { ask, statuses: [200] }),
      this.#asks.until('v1', [other], { ask, statuses: [200] }),
    ]);
    const repeated = await this.#asks.until('v1 again', clients, { ask, statuses: [200] });
    this.#count('orders of v1');
    const codes = new Set([...answers, repeated].map((answer) => answer?.body.data?.code ?? 'none'));
    if (codes.size > 1 || codes.has('none'))
      this.#asks.wrong.push(`v1: ${[...codes].join(' ')} of one order`);
    const [code] = codes;
    const status = askV1('/shipping/get_shipping_status', {
      license_key,
      domain: 'shop.test',
      shipping_id: code,
    });
    for (const client of clients)
      await this.#asks.until('v1 status', [client], { ask: status, statuses: [200] });
  }

  /** A batch that is sent to both under one key; every second one is cancelled. */
  async #batch([one, other]: Clients, turn: number): Promise<void> {
    const { account } = this.#stack;
    const shipments = Array.from({ length: ITEMS }, () => shipmentBody(account, 'run'));
    const body = { license_key: account.licenseKeys.run, shipments };
    const headers = { 'idempotency-key': this.#asks.key() };
    const ask: Ask = (client) => client.post('/batches', body, headers);
    const accepted = await Promise.all([one, other].map((client) => this.#accepted(client, ask)));
    const ids = new Set(accepted);
    const [id] = ids;
    if (ids.size > 1 || id === undefined || id === null) {
      this.#asks.wrong.push(`batch: ${[...ids].join(' ')} under one key`);
      return;
    }
    const isCancelled = turn % 4 >= 2;
    const cancel: Ask = (client) => client.post(`/batches/${id}/cancel`, {});
    if (isCancelled) await this.#asks.until('cancel of a batch', [other], { ask: cancel, statuses: [200] });
    await this.#ended([other, one], id);
    await this.#items([one, other], { id, isCancelled });
    this.#count(isCancelled ? 'batches cancelled' : 'batches');
    await delay(BATCH_PAUSE_MS);
  }

  async #accepted(client: ApiClient, ask: Ask): Promise<string | null> {
    const endsAt = Date.now() + patient(BATCH_ENDS_MS);
    while (Date.now() < endsAt) {
      const answer = await this.#asks.once('batch', client, ask);
      if (answer?.status === 202) return answer.body.data.id;
      if (answer !== null) return `${answer.status} ${answer.text}`;
      await delay(BATCH_LOOK_MS);
    }
    return null;
  }

  async #ended(clients: Clients, id: string): Promise<void> {
    const endsAt = Date.now() + patient(BATCH_ENDS_MS);
    for (let turn = 0; Date.now() < endsAt; turn += 1) {
      const client = turn % 2 === 0 ? clients[0] : clients[1];
      const answer = await this.#asks.once('batch', client, (at) => at.get(`/batches/${id}`));
      if (answer !== null && answer.status !== 200) this.#asks.wrong.push(`batch: ${answer.status} ${id}`);
      if (answer?.body.data?.status === 'completed') return;
      await delay(BATCH_LOOK_MS);
    }
    this.#asks.wrong.push(`batch ${id} has not ended within ${BATCH_ENDS_MS} ms`);
  }

  /** Each item has its outcome at both nodes, and its own parcel. */
  async #items(clients: Clients, { id, isCancelled }: { id: string; isCancelled: boolean }): Promise<void> {
    const ask: Ask = (client) => client.get(`/batches/${id}/items`);
    const lists = await Promise.all(
      clients.map((client) => this.#asks.until('items', [client], { ask, statuses: [200] })),
    );
    const [list, same] = lists.map((answer) => answer?.body.data ?? []);
    if (JSON.stringify(list) !== JSON.stringify(same))
      this.#asks.wrong.push(`batch ${id}: two lists of items`);
    const items: { status: string; shipment_id: string | null; error: { code: string } | null }[] = list;
    const made = items.filter(({ status }) => status === 'created').map((item) => String(item.shipment_id));
    const ended = items.filter(({ error }) => isCancelled && error?.code === 'cancelled').length;
    if (new Set(made).size + ended !== ITEMS)
      this.#asks.wrong.push(
        `batch ${id}: ${JSON.stringify(items.map(({ status, error }) => [status, error]))}`,
      );
    this.#told.push(...made);
  }
}
