import { ApiClient } from '../../support/api-client.js';
import type { HttpAnswer } from '../../support/http-send.js';
import type { TestAccount } from '../../support/stack.js';
import type { Step, UnderWay } from './under-way.js';

const STEP_OF: readonly [RegExp, Step][] = [
  [/^POST \/shipments$/, 'booking'],
  [/^POST .+\/cancel$/, 'cancel'],
  [/^POST \/batches$/, 'batch'],
  [/^POST \/exports$/, 'export'],
  [/^GET .+\/label$/, 'label'],
];

/** A client whose requests are noted while they are under way. */
export class WatchedClient extends ApiClient {
  readonly #underWay: UnderWay;

  constructor(url: string, account: TestAccount, underWay: UnderWay) {
    super(url, account);
    this.#underWay = underWay;
  }

  override get(path: string, headers: Record<string, string> = {}): Promise<HttpAnswer> {
    return this.#noted(`GET ${path}`, super.get(path, headers));
  }

  override post(path: string, body: unknown, headers: Record<string, string> = {}): Promise<HttpAnswer> {
    return this.#noted(`POST ${path}`, super.post(path, body, headers));
  }

  #noted(request: string, answer: Promise<HttpAnswer>): Promise<HttpAnswer> {
    const step = STEP_OF.find(([pattern]) => pattern.test(request))?.[1];
    return step === undefined ? answer : this.#underWay.during(step, this.url, answer);
  }
}
