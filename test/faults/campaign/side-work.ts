import { randomBytes } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { type ApiClient, shipmentBody } from '../../support/api-client.js';
import type { Owner } from '../../support/clean-ups.js';
import type { HttpAnswer } from '../../support/http-send.js';
import { patient } from '../../support/patience.js';
import type { TestStack } from '../../support/stack.js';
import { subscribe } from '../../support/webhooks.js';
import type { Load } from '../load.js';
import { askV1, isLater } from '../two-node-asks.js';
import { BATCH_PROVIDER } from './faults.js';
import { mailRecipients } from './mails.js';
import type { Outside } from './outside.js';
import type { UnderWay } from './under-way.js';

const ITEMS = 12;
const PAUSE_MS = 200;
/** Between two batches, or two exports: they are to run beside single creations, not instead of them. */
const BULK_PAUSE_MS = 2000;
const PATIENCE_MS = 120_000;
/** Receivers answer after a moment, so that faults meet deliveries. */
const RECEIVER_MS = 100;

interface Parts {
  stack: TestStack;
  outside: Outside;
  clients: readonly ApiClient[];
  underWay: UnderWay;
  /** Whose parcels are cancelled. */
  load: Load;
}

/**
 * Work beside single creations while faults are injected: a webhook and mails to recipients on every event,
 * batches, exports, labels, cancellations and orders of v1; each request repeated until it is answered.
 */
export class SideWork {
  readonly batches: { id: string; items: number }[] = [];
  /** Shipments whose cancellation was answered 200. */
  readonly cancelled: string[] = [];
  /** Answers that must not come. */
  readonly unexpected: string[] = [];
  /** Id of the subscription to the events of `run`. */
  webhookId = '';
  readonly #parts: Parts;
  readonly #id = randomBytes(4).toString('hex');
  readonly #asked = new Set<string>();
  #loops: Promise<void>[] = [];
  #stopped = false;
  #abandoned = false;
  #labels = 0;
  #ordersOfV1 = 0;
  #turn = 0;

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  /** Ends with its owner, answered or not: a test that failed must not leave clients behind. */
  async start(owner: Owner): Promise<this> {
    owner.teardown(() => {
      this.#stopped = true;
      this.#abandoned = true;
    });
    const { stack, outside } = this.#parts;
    outside.receiver.behave({ kind: 'answer', status: 200, delayMs: RECEIVER_MS });
    const webhook = await subscribe(stack, this.#client(), { url: outside.receiver.url, provider: 'run' });
    this.webhookId = webhook.id;
    await mailRecipients(stack);
    this.#loops = [
      this.#repeat(() => this.#batch(), BULK_PAUSE_MS),
      this.#repeat(() => this.#export(), BULK_PAUSE_MS),
      this.#repeat(() => this.#label(), PAUSE_MS),
      this.#repeat(() => this.#cancel(), PAUSE_MS),
      this.#repeat(() => this.#orderOfV1(), PAUSE_MS),
    ];
    return this;
  }

  /** Begins nothing more, and waits for the answers of what is under way. */
  async stop(): Promise<void> {
    this.#stopped = true;
    await Promise.all(this.#loops);
  }

  get summary(): string {
    const { receiver, mail } = this.#parts.outside;
    return [
      `${this.batches.length} batches of ${ITEMS}`,
      `${this.#labels} labels`,
      `${this.cancelled.length} cancellations`,
      `${this.#ordersOfV1} orders of v1`,
      `${receiver.requests.length} webhooks`,
      `${mail.mails.length} mails`,
    ].join(', ');
  }

  async #repeat(work: () => Promise<void>, pauseMs: number): Promise<void> {
    while (!this.#stopped) {
      await work();
      for (const until = Date.now() + pauseMs; !this.#stopped && Date.now() < until; ) await delay(PAUSE_MS);
    }
  }

  async #batch(): Promise<void> {
    const { account } = this.#parts.stack;
    const shipments = Array.from({ length: ITEMS }, (_, index) =>
      shipmentBody(account, BATCH_PROVIDER, { ship_data: { contact_mail: `r${index}@example.test` } }),
    );
    const headers = { 'idempotency-key': `batch-${this.#id}-${this.batches.length}` };
    const body = { shipments, license_key: account.licenseKeys[BATCH_PROVIDER] };
    const answer = await this.#answered('batch', [202], (client) => client.post('/batches', body, headers));
    if (answer !== null) this.batches.push({ id: answer.body.data.id, items: ITEMS });
  }

  async #export(): Promise<void> {
    const body = { license_key: this.#parts.stack.account.licenseKeys.run, format: 'xlsx' };
    await this.#answered('export', [202, 409], (client) => client.post('/exports', body));
  }

  async #label(): Promise<void> {
    const [row] = await this.#parts.stack.db
      .select(`SELECT uuid FROM shipments WHERE state = 'created' ORDER BY id DESC LIMIT 1`)
      .catch(() => []);
    if (row === undefined) return;
    const answer = await this.#answered('label', [200], (client) =>
      client.get(`/shipments/${row.uuid}/label`),
    );
    if (answer !== null) this.#labels += 1;
  }

  async #cancel(): Promise<void> {
    const newest = this.#parts.load.remembered.at(-1);
    if (newest === undefined || this.#asked.has(newest.key)) return;
    this.#asked.add(newest.key);
    const { uuid } = JSON.parse(newest.text).data;
    const answer = await this.#answered('cancel', [200, 409], (client) =>
      client.post(`/shipments/${uuid}/cancel`, {}),
    );
    if (answer?.status === 200) this.cancelled.push(uuid);
  }

  /** The order of a plugin, which asks again until it has a code. */
  async #orderOfV1(): Promise<void> {
    const { stack, underWay } = this.#parts;
    const { order, license_key } = shipmentBody(stack.account, 'run');
    const ship_data = { contact_name: 'Dana', street: 'Herzl', number: '5', city: 'Haifa' };
    const ask = askV1('/shipping/open_new_order', { license_key, domain: 'shop.test', ship_data, order });
    const answer = await this.#answered('order of v1', [200], (client) =>
      underWay.during('booking', client.url, ask(client)),
    );
    if (answer !== null) this.#ordersOfV1 += 1;
  }

  /** Sends until one of these statuses is answered; null when another one is, or none in time. */
  async #answered<A extends HttpAnswer>(
    what: string,
    statuses: readonly number[],
    ask: (client: ApiClient) => Promise<A>,
  ): Promise<A | null> {
    const until = Date.now() + patient(PATIENCE_MS);
    for (; Date.now() < until && !this.#abandoned; await delay(PAUSE_MS)) {
      const answer = await ask(this.#client()).catch(() => undefined);
      // 429: a hundred batches are open, as some wait for carriers that do not answer.
      if (answer === undefined || isLater(answer) || answer.status === 429) continue;
      if (statuses.includes(answer.status)) return answer;
      if (what === 'order of v1' && isRefusalInV1(answer)) continue;
      this.unexpected.push(`${what}: ${answer.status} ${answer.text}`);
      return null;
    }
    // Nobody but a person can say how it stands with a parcel whose cancellation had no readable answer.
    if (what !== 'cancel')
      this.unexpected.push(`${what}: no answer within ${PATIENCE_MS} ms of an idle machine`);
    return null;
  }

  #client(): ApiClient {
    this.#turn += 1;
    const { clients } = this.#parts;
    const client = clients[this.#turn % clients.length];
    if (client === undefined) throw new Error('no API');
    return client;
  }
}

/** A carrier's refusal: the plugin shows it, and the order is free again. An error of ours has no `success`. */
function isRefusalInV1({ status, text }: HttpAnswer): boolean {
  return status === 500 && JSON.parse(text).success === false;
}
