import { type Answer, type RawAnswer, readAnswer, toAnswer } from './answer.js';
import { checkedOptions } from './checked.js';
import { ApiError, type ResolveOptions, UnknownOutcomeError } from './errors.js';
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

  /** @throws TypeError that names the option that cannot be used */
  constructor(options: ClientOptions) {
    this.#options = checkedOptions(options);
    this.#kept = new KeptReads(options.keptReads ?? 0);
  }

  /**
   * Calls any operation, also one that this version has no method for.
   * @throws ApiError, ConnectionError, UnknownOutcomeError of a creation; the reason of a signal that ended the call;
   * TypeError of what cannot be sent, such as a `key` with blanks
   */
  async call<Body>(
    operation: Operation,
    input: Input = {},
    options: CallOptions = {},
  ): Promise<Answer<Body>> {
    options.signal?.throwIfAborted();
    const sending = sendingOf(this.#options, operation, input, options);
    return await this.#send(sending, { operation, options, isOpen: false });
  }

  /** `isOpen`: a try may have been carried out without its answer. */
  async #send<Body>(
    sending: Sending,
    { operation, options, isOpen }: Asked & { isOpen: boolean },
  ): Promise<Answer<Body>> {
    const { maxTries = this.#options.maxTries ?? 5, signal } = options;
    const endsAt = Date.now() + this.#patienceMs(options);
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
        const asked = { operation, options };
        throw new UnknownOutcomeError(error, (wish = {}) => this.#resolve<Body>(sending, asked, wish));
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
    quietly(() => onTry?.(sent));
    const startedAt = Date.now();
    const init = this.#kept.asked(sending);
    const tried = await within(Math.min(tryTimeoutMs, leftMs), signal, async (inTime) =>
      readAnswer(await fetch(url, { ...init, signal: inTime })),
    ).catch((error: unknown) => new Unanswered(error));
    const durationMs = Date.now() - startedAt;
    const outcome = tried instanceof Unanswered ? { error: tried.error } : { status: tried.status };
    quietly(() => onTried?.({ ...sent, ...outcome, durationMs }));
    const line =
      `${method} ${path} try ${attempt}: ${outcome.status ?? outcome.error} in ${durationMs} ms, request ${requestId}` +
      (key === undefined ? '' : `, key ${key}`);
    quietly(() => log?.(line));
    return tried;
  }

  /** Asks until it is known what became of a creation, with its key and its request as they were. */
  async #resolve<Body>(
    sending: Sending,
    { options, ...asked }: Asked,
    { signal, timeoutMs = Number.POSITIVE_INFINITY }: ResolveOptions,
  ): Promise<Answer<Body>> {
    const endsAt = Date.now() + timeoutMs;
    for (;;) {
      signal?.throwIfAborted();
      const leftMs = endsAt - Date.now();
      const patient = { ...options, signal, timeoutMs: Math.min(leftMs, this.#patienceMs(options)) };
      try {
        return await this.#send<Body>(sending, { ...asked, options: patient, isOpen: true });
      } catch (error) {
        if (!(error instanceof UnknownOutcomeError)) throw error;
        const { status, retryAfterMs = 0 } = error.cause instanceof ApiError ? error.cause : {};
        const pauseMs = Math.max(RESOLVE_PAUSE_MS, retryAfterMs);
        // Credentials that are refused stay so until a person mends them.
        const helps = status !== 401 && status !== 403 && pauseMs < leftMs;
        if (!helps || !(await pause(pauseMs, signal))) throw error;
      }
    }
  }

  #patienceMs({ timeoutMs = this.#options.timeoutMs ?? CALL_MS }: CallOptions): number {
    return timeoutMs;
  }
}

/** The caller's request. */
interface Asked {
  operation: Operation;
  options: CallOptions;
}

/** A hook that fails must not hide what came of a creation. */
function quietly(hook: () => void): void {
  try {
    hook();
  } catch {}
}
