import { randomBytes } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import type { ApiClient } from '../support/api-client.js';
import type { HttpAnswer } from '../support/http-send.js';
import { patient } from '../support/patience.js';
import { sendV1 } from '../support/v1.js';

const PAUSE_MS = 250;
const PATIENCE_MS = 120_000;

/** A request to one of the two APIs. */
export type Ask = (client: ApiClient) => Promise<HttpAnswer>;

/** Requests at two APIs whose answers are looked at: of the 5xx only a 503 with Retry-After may come. */
export class TwoNodeAsks {
  /** Answers that must not have come. */
  readonly wrong: string[] = [];
  readonly #statuses = new Map<number, number>();
  readonly #id = randomBytes(4).toString('hex');
  #keys = 0;

  /** The statuses as one line. */
  get summary(): string {
    return [...this.#statuses].map(([status, count]) => `${count} × ${status}`).join(', ');
  }

  key(): string {
    this.#keys += 1;
    return `two-${this.#id}-${this.#keys}`;
  }

  /** The answer; null where there was none or it is a 503, after which the caller asks again. */
  async once(what: string, client: ApiClient, ask: Ask): Promise<HttpAnswer | null> {
    const answer = await ask(client).catch((error: unknown) => {
      this.wrong.push(`${what}: no answer, ${error}`);
      return null;
    });
    if (answer === null) return null;
    const { status, headers, text } = answer;
    this.#statuses.set(status, (this.#statuses.get(status) ?? 0) + 1);
    if (!isLater(answer) && status < 500) return answer;
    if (!isLater(answer) || !headers.has('retry-after')) this.wrong.push(`${what}: ${status} ${text}`);
    return null;
  }

  /** Asks again, at `clients` in turn, until one of the statuses comes; null when another one does, or none. */
  async until(
    what: string,
    clients: readonly ApiClient[],
    { ask, statuses }: { ask: Ask; statuses: readonly number[] },
  ): Promise<HttpAnswer | null> {
    const endsAt = Date.now() + patient(PATIENCE_MS);
    for (let turn = 0; Date.now() < endsAt; turn += 1) {
      const client = clients[turn % clients.length];
      if (client === undefined) throw new Error('no API is given');
      const answer = await this.once(what, client, ask);
      if (answer !== null && statuses.includes(answer.status)) return answer;
      // 202: the same key is waited for again.
      if (answer !== null && answer.status !== 202) {
        this.wrong.push(`${what}: ${answer.status} ${answer.text}`);
        return null;
      }
      await delay(PAUSE_MS);
    }
    this.wrong.push(`${what}: not answered ${statuses.join(' or ')} within ${PATIENCE_MS} ms`);
    return null;
  }
}

/** API v1 answers 500 with Retry-After, by its contract, where v2 has 202. */
export function isLater({ status, headers, text }: HttpAnswer): boolean {
  return status === 503 || (status === 500 && headers.has('retry-after') && text.includes('"success":false'));
}

export function askV1(path: string, json: object): Ask {
  return ({ url }) => sendV1({ url }, 'POST', path, { json });
}
