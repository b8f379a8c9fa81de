import { randomBytes } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { type ApiClient, shipmentBody } from '../../support/api-client.js';
import type { Owner } from '../../support/clean-ups.js';
import type { HttpAnswer } from '../../support/http-send.js';
import type { TestStack } from '../../support/stack.js';
import { type Heard, KEY, type KeyOperation } from './keys.js';
import type { Parcel } from './ledgers.js';
import { isLinearizable } from './linear.js';

/** A carrier that neither refuses nor can be asked for a parcel: whether it booked is for a person to say. */
export const KEY_PROVIDER = 'cargo';
const KEYS_AT_ONCE = 3;
const PAUSE_MS = 150;
/** Calls that one client makes of a kind before it goes on; all of a key together are at most 30. */
const TRIES = 5;

interface History {
  key: string;
  bodies: readonly object[];
  operations: KeyOperation[];
  /** The shipment, once an answer told of it. */
  uuid: string | null;
}

/** Clients that create, read and cancel under one key at once, and write down what they heard and when. */
export class KeyClients {
  readonly #stack: TestStack;
  readonly #clients: readonly ApiClient[];
  readonly #histories: History[] = [];
  readonly #id = randomBytes(4).toString('hex');
  #loops: Promise<void>[] = [];
  #stopped = false;

  constructor(stack: TestStack, clients: readonly ApiClient[]) {
    this.#stack = stack;
    this.#clients = clients;
  }

  start(owner: Owner): this {
    owner.teardown(() => {
      this.#stopped = true;
    });
    this.#loops = Array.from({ length: KEYS_AT_ONCE }, () => this.#loop());
    return this;
  }

  async stop(): Promise<void> {
    this.#stopped = true;
    await Promise.all(this.#loops);
  }

  get summary(): string {
    const operations = this.#histories.flatMap((history) => history.operations);
    const unknown = operations.filter(({ heard }) => heard.is === 'unknown').length;
    return `${this.#histories.length} keys with ${operations.length} calls, the outcome of ${unknown} of them unknown`;
  }

  /** Histories that no order of their calls explains; `parcels` is what carriers have at the end. */
  violations(parcels: readonly Parcel[]): string[] {
    const end = performance.now();
    return this.#histories
      .filter(({ uuid, operations }) => {
        const booked = parcels.filter(({ reference }) => reference === uuid);
        const live = booked.filter(({ status }) => status !== 'cancelled').length;
        const heard: Heard = { is: 'parcels', all: booked.length, live };
        const last: KeyOperation[] =
          uuid === null ? [] : [{ what: 'ledger', body: 0, start: end, end: end + 1, heard }];
        return !isLinearizable([...operations, ...last], KEY);
      })
      .map(({ key, operations }) => `not linearizable: ${key} ${JSON.stringify(operations)}`);
  }

  async #loop(): Promise<void> {
    while (!this.#stopped) {
      const { account } = this.#stack;
      const history: History = {
        key: `key-${this.#id}-${this.#histories.length}`,
        bodies: [shipmentBody(account, KEY_PROVIDER), shipmentBody(account, KEY_PROVIDER)],
        operations: [],
        uuid: null,
      };
      this.#histories.push(history);
      await Promise.all([this.#merchant(history), this.#other(history)]);
    }
  }

  /** Creates until there is an answer, cancels, and asks once more. */
  async #merchant(history: History): Promise<void> {
    await this.#until('created', () => this.#create(history, 0));
    await this.#read(history);
    await this.#until('done', () => this.#cancel(history));
    await this.#read(history);
    await this.#create(history, 0);
  }

  /** Sends the same, and something else, under the same key meanwhile. */
  async #other(history: History): Promise<void> {
    await this.#create(history, 0);
    await this.#create(history, 1);
    await this.#read(history);
    await delay(PAUSE_MS);
    await this.#read(history);
    await this.#create(history, 0);
  }

  async #until(end: Heard['is'], call: () => Promise<Heard>): Promise<void> {
    for (let tries = 0; tries < TRIES; tries += 1) {
      if ((await call()).is === end) return;
      await delay(PAUSE_MS * 2 ** tries);
    }
  }

  #create(history: History, body: number): Promise<Heard> {
    return this.#call(history, { what: 'create', body }, (client) =>
      client.create(history.bodies[body], history.key),
    );
  }

  #cancel(history: History): Promise<Heard> {
    return this.#ofShipment(history, 'cancel', (client, uuid) =>
      client.post(`/shipments/${uuid}/cancel`, {}),
    );
  }

  #read(history: History): Promise<Heard> {
    return this.#ofShipment(history, 'read', (client, uuid) => client.get(`/shipments/${uuid}`));
  }

  async #ofShipment(
    history: History,
    what: 'cancel' | 'read',
    ask: (client: ApiClient, uuid: string) => Promise<HttpAnswer>,
  ): Promise<Heard> {
    const { uuid } = history;
    if (uuid === null) return { is: 'unknown' };
    return await this.#call(history, { what, body: 0 }, (client) => ask(client, uuid));
  }

  async #call(
    history: History,
    { what, body }: Pick<KeyOperation, 'what' | 'body'>,
    ask: (client: ApiClient) => Promise<HttpAnswer>,
  ): Promise<Heard> {
    const client = this.#clients[Math.floor(Math.random() * this.#clients.length)];
    if (client === undefined) throw new Error('no API');
    const start = performance.now();
    const answer = await ask(client).catch(() => undefined);
    const heard = heardOf(what, answer);
    const end = heard.is === 'unknown' ? Number.POSITIVE_INFINITY : performance.now();
    history.operations.push({ what, body, start, end, heard });
    if (heard.is === 'created' || heard.is === 'accepted') history.uuid ??= heard.uuid;
    return heard;
  }
}

function heardOf(what: KeyOperation['what'], answer: HttpAnswer | undefined): Heard {
  if (answer === undefined || answer.status >= 500) return { is: 'unknown' };
  const { status, body, text } = answer;
  if (what === 'read' && status === 200) return { is: 'status', code: body.data.status.code };
  if (what === 'cancel' && status === 200) return { is: 'done' };
  if (what === 'create' && status === 201) return { is: 'created', uuid: body.data.uuid, text };
  if (what === 'create' && status === 202) return { is: 'accepted', uuid: body.data.uuid };
  if (body.error?.code === 'idempotency_key_conflict') return { is: 'conflict' };
  return { is: 'refused' };
}
