import { randomBytes } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { ApiClient, shipmentBody } from '../support/api-client.js';
import type { Owner } from '../support/clean-ups.js';
import type { Remembered } from '../support/invariants.js';
import { patient } from '../support/patience.js';
import type { TestAccount } from '../support/stack.js';

const PAUSE_MS = 100;
const PATIENCE_MS = 120_000;

/**
 * Clients that create shipments without a pause, each repeating its request with the same key until it is answered
 * 201, as a careful integrator does.
 */
export class Load {
  /** Every creation answered 201. */
  readonly remembered: Remembered[] = [];
  /** How often each status came; `cut` is a request without an answer. */
  readonly statuses = new Map<number | 'cut', number>();
  /** Answers outside the documented ones for the time of a fault. */
  readonly unexpected: string[] = [];
  #clients: readonly ApiClient[];
  readonly #account: TestAccount;
  readonly #expected: ReadonlySet<number>;
  readonly #providers: readonly string[];
  readonly #loops: Promise<void>[] = [];
  #waitsMs: number[] = [];
  readonly #id = randomBytes(4).toString('hex');
  #stopped = false;
  #abandoned = false;
  #number = 0;

  /** `expected`: statuses after which the same key is sent again. `providers`: booked with in turn. */
  constructor(
    apis: readonly (string | ApiClient)[],
    account: TestAccount,
    expected: readonly number[] = [202, 503],
    providers: readonly string[] = ['run'],
  ) {
    this.#clients = apis.map((api) => (typeof api === 'string' ? new ApiClient(api, account) : api));
    this.#account = account;
    this.#expected = new Set(expected);
    this.#providers = providers;
  }

  /** Ends with its owner, answered or not: a test that failed must not leave clients behind. */
  start(owner: Owner, clients: number): this {
    owner.teardown(() => {
      this.#stopped = true;
      this.#abandoned = true;
    });
    for (let index = 0; index < clients; index += 1) this.#loops.push(this.#loop());
    return this;
  }

  /** Begins this many creations a second, whether or not the former are answered, until {@link stop}. */
  startSteadily(owner: Owner, perSecond: number): this {
    const timer = setInterval(() => {
      if (this.#stopped) return clearInterval(timer);
      this.#loops.push(this.#createNext());
    }, 1000 / perSecond);
    return this.start(owner, 0);
  }

  /** How long the creations that were answered since the last call waited for it, repeats and all. */
  takeWaitsMs(): number[] {
    const waitsMs = this.#waitsMs;
    this.#waitsMs = [];
    return waitsMs;
  }

  /** Sends everything from now on to these APIs, as a load balancer does. */
  useOnly(urls: readonly string[]): void {
    this.#clients = urls.map((url) => new ApiClient(url, this.#account));
  }

  /** Starts no more creations, and waits for the answers of those under way. */
  async stop(): Promise<void> {
    this.#stopped = true;
    await Promise.all(this.#loops);
  }

  /** The statuses as one line. */
  get summary(): string {
    const parts = [...this.statuses].map(([status, count]) => `${count} × ${status}`);
    return `${this.remembered.length} created; answers: ${parts.join(', ')}`;
  }

  async #loop(): Promise<void> {
    while (!this.#stopped) await this.#createNext();
  }

  async #createNext(): Promise<void> {
    this.#number += 1;
    await this.#createOne(`load-${this.#id}-${this.#number}`);
  }

  async #createOne(key: string): Promise<void> {
    const provider = this.#providers[this.#number % this.#providers.length] ?? 'run';
    const body = shipmentBody(this.#account, provider);
    const startedAt = Date.now();
    const until = startedAt + patient(PATIENCE_MS);
    for (let turn = this.#number; Date.now() < until && !this.#abandoned; turn += 1) {
      const client = this.#clients[turn % this.#clients.length];
      const response = await client?.create(body, key).catch(() => undefined);
      const status = response?.status ?? 'cut';
      this.statuses.set(status, (this.statuses.get(status) ?? 0) + 1);
      if (response?.status === 201) {
        this.remembered.push({ key, body, status: 201, text: response.text });
        this.#waitsMs.push(Date.now() - startedAt);
        return;
      }
      if (response !== undefined && !this.#expected.has(response.status)) {
        this.unexpected.push(`${key}: ${response.status} ${response.text}`);
      }
      if (response?.status === 503 && !response.headers.has('retry-after')) {
        this.unexpected.push(`${key}: 503 without Retry-After`);
      }
      await delay(PAUSE_MS);
    }
    this.unexpected.push(`${key}: no 201 within ${PATIENCE_MS} ms of an idle machine`);
  }
}
