import { type Answer, type RawAnswer, readAnswer, toAnswer } from './answer.js';
import { type ResolveOptions, UnknownOutcomeError } from './errors.js';
import { failureOf, Unanswered } from './failures.js';
import { KeptReads } from './kept-reads.js';
import type { CallOptions, ClientOptions, Input, Operation } from './options.js';
import { type Sending, sendingOf } from './request.js';
import { pause, within } from './waits.js';

const CALL_MS = 150_000;
const TRY_MS = 40_000;
const RESOLVE_PAUSE_MS = 2000;

/** Sends calls: each has one key and one request id for all of its tries, and ends in an answer or a typed error. */
export class Caller {
  readonly #options: ClientOptions;
  readonly #kept: KeptReads;

  constructor(options: ClientOptions) {
    this.#options = options;
    this.#kept = new KeptReads(options.keptReads ?? 0);
  }

  /**
   * Calls any operation, also one that this version has no method for.
   * @throws ApiError, ConnectionError, UnknownOutcomeError of a creation; the reason of a signal that ended the call
   */
  async call<Body>(
    operation: Operation,
    input: Input = {},
    options: CallOptions = {},
  ): Promise<Answer<Body>> {
    const { maxTries = 5, timeoutMs = CALL_MS, signal } = { ...this.#options, ...options };
    signal?.throwIfAborted();
    const sending = sendingOf(this.#options, operation, input, options);
    const endsAt = Date.now() + timeoutMs;
    // Whether a try may have been carried out without its answer.
    let isOpen = false;
    for (let tries = 1; ; tries += 1) {
      const tried = await this.#try(sending, tries, endsAt - Date.now(), options);
      const answer = tried instanceof Unanswered ? undefined : this.#answer<Body>(sending, tried, tries);
      if (answer !== undefined) return answer;

      const { error, waitMs, leavesOpen } = failureOf(tried, { ...sending, tries }, operation.repeat);
      isOpen = leavesOpen ?? isOpen;
      const { maxRetryAfterMs = 60_000 } = this.#options;
      const canWait = waitMs !== undefined && waitMs <= maxRetryAfterMs && Date.now() + waitMs < endsAt;
      if (canWait && tries < maxTries && (await pause(waitMs, signal))) continue;

      if (isOpen && sending.key !== undefined) {
        const asked = { ...options, key: sending.key };
        const resolve = (wish: ResolveOptions = {}) => this.#resolve<Body>(operation, input, asked, wish);
        throw new UnknownOutcomeError(error, resolve);
      }
      signal?.throwIfAborted();
      throw error;
    }
  }

  #answer<Body>(sending: Sending, tried: RawAnswer, tries: number): Answer<Body> | undefined {
    const { key, requestId } = sending;
    const raw = this.#kept.fresh(sending, tried);
    return raw.status >= 300 ? undefined : toAnswer<Body>(raw, { key, requestId, tries });
  }

  async #try(
    sending: Sending,
    attempt: number,
    leftMs: number,
    { tryTimeoutMs = this.#options.tryTimeoutMs ?? TRY_MS, signal }: CallOptions,
  ): Promise<RawAnswer | Unanswered> {
    const { fetch = globalThis.fetch, onTry, onTried, log, appName } = this.#options;
    const { method, path, key, url, requestId } = sending;
    const sent = { appName, method, path, key, requestId, attempt };
    onTry?.(sent);
    const startedAt = Date.now();
    const init = this.#kept.asked(sending);
    const tried = await within(Math.min(tryTimeoutMs, leftMs), signal, async (inTime) =>
      readAnswer(await fetch(url, { ...init, signal: inTime })),
    ).catch((error: unknown) => new Unanswered(error));
    const durationMs = Date.now() - startedAt;
    const outcome = tried instanceof Unanswered ? { error: tried.error } : { status: tried.status };
    onTried?.({ ...sent, ...outcome, durationMs });
    log?.(
      `${method} ${path} try ${attempt}: ${outcome.status ?? outcome.error} in ${durationMs} ms, request ${requestId}` +
        (key === undefined ? '' : `, key ${key}`),
    );
    return tried;
  }

  /** Asks until it is known what became of a creation, with its key and its request as they were. */
  async #resolve<Body>(
    operation: Operation,
    input: Input,
    options: CallOptions,
    { signal, timeoutMs = Number.POSITIVE_INFINITY }: ResolveOptions,
  ): Promise<Answer<Body>> {
    const endsAt = Date.now() + timeoutMs;
    for (;;) {
      const leftMs = endsAt - Date.now();
      const patience = Math.min(leftMs, options.timeoutMs ?? this.#options.timeoutMs ?? CALL_MS);
      try {
        return await this.call<Body>(operation, input, { ...options, signal, timeoutMs: patience });
      } catch (error) {
        const isKnown = !(error instanceof UnknownOutcomeError);
        if (isKnown || leftMs <= RESOLVE_PAUSE_MS || !(await pause(RESOLVE_PAUSE_MS, signal))) throw error;
      }
    }
  }
}
