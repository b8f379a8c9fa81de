import type { IncomingMessage } from 'node:http';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import type { RequestHandler } from 'express';
import type { Config } from '../config/config.js';
import { Overloaded } from '../domain/errors.js';
import { Slots } from '../lib/limits/slots.js';
import { LIMITS } from '../lib/limits/values.js';
import type { Capacity } from '../lib/metrics.js';
import { callerAddress } from './middleware/caller-address.js';

const RESOLUTION_MS = 20;

type Limits = Pick<Config, 'maxOpenRequests' | 'maxWorkingRequests' | 'maxLoopDelayMs'>;

/** State of a request: working; waiting for others; waiting for its client, without a slot; or answered. */
type State = 'works' | 'waits' | 'caller' | 'over';

/**
 * Rejects requests at once while the process is overloaded. Working requests and requests waiting for a carrier have
 * separate limits: a wait costs only memory, and hundreds of them are no overload, but each caller gets a part of them.
 * Requests waiting on their client (upload, download) hold no slot; each client may have a limited number of them, so a
 * slow client cannot block others.
 */
export class LoadGate {
  readonly #limits: Limits;
  readonly #loopDelayMs: () => number;
  readonly #states = new WeakMap<IncomingMessage, State>();
  readonly #counts: Record<State, number> = { works: 0, waits: 0, caller: 0, over: 0 };
  /** Requests whose caller is known, with their place among the caller's working ones while they work. */
  readonly #claims = new WeakMap<IncomingMessage, { caller: string; release: (() => void) | null }>();
  /** Working requests, by caller. */
  readonly #works: Slots;
  /** Requests waiting for others, by caller. */
  readonly #waits: Slots;
  /** Bodies and streams in transfer, by caller. */
  readonly #transfers: Slots;
  /** Answers ready but not received yet, by address. */
  readonly #unread: Slots;

  /** `loopDelayMs`: the present delay of the event loop. */
  constructor(limits: Limits, loopDelayMs?: () => number) {
    this.#limits = limits;
    const ofCaller = Math.ceil(LIMITS.requests.transfersOfCallerShare * limits.maxWorkingRequests);
    this.#works = new Slots({
      perKey: Math.ceil(LIMITS.requests.workOfCallerShare * limits.maxWorkingRequests),
    });
    this.#waits = new Slots({
      perKey: Math.ceil(LIMITS.requests.waitsOfCallerShare * limits.maxOpenRequests),
    });
    this.#transfers = new Slots({ perKey: ofCaller });
    this.#unread = new Slots({ perKey: ofCaller });
    this.#loopDelayMs = loopDelayMs ?? (limits.maxLoopDelayMs > 0 ? eventLoopDelayMs : () => 0);
  }

  /** Open requests, of which those that wait for their callers do not count. */
  get open(): Capacity {
    const counts = this.#counts;
    return {
      limit: this.#limits.maxOpenRequests,
      get used() {
        return counts.works + counts.waits;
      },
    };
  }

  /** Requests that wait only for the process. */
  get working(): Capacity {
    const counts = this.#counts;
    return {
      limit: this.#limits.maxWorkingRequests,
      get used() {
        return counts.works;
      },
    };
  }

  /** Admits a request until its answer is ready, or answers it with {@link Overloaded}. */
  get enter(): RequestHandler {
    return (req, res, next) => {
      const address = callerAddress(req);
      if (this.#isFull() || this.#unread.free(address) <= 0) throw new Overloaded();
      this.#move(req, 'works');
      res.once('prefinish', () => {
        if (res.closed) return;
        this.#move(req, 'over');
        res.once('close', this.#unread.take(address));
      });
      res.once('close', () => this.#move(req, 'over'));
      next();
    };
  }

  /** Whether {@link enter} let the request in. */
  isAdmitted(req: IncomingMessage): boolean {
    return this.#states.has(req);
  }

  /**
   * From here on the request counts for `caller`, whose working requests are a part of all.
   * @throws Overloaded where the caller has that part already
   */
  claim(req: IncomingMessage, caller: string): void {
    if (this.#states.get(req) !== 'works' || this.#claims.has(req)) return;
    this.#claims.set(req, { caller, release: placeIn(this.#works, caller) });
  }

  /**
   * The request waits for others while `wait` runs, and does not count as work.
   * @throws Overloaded where `caller` has reached its limit of such waits, before this one starts
   */
  async whileWaiting<T>(req: IncomingMessage, caller: string, wait: () => Promise<T>): Promise<T> {
    return await this.#during(req, 'waits', placeIn(this.#waits, caller), wait);
  }

  /**
   * The request receives its body while `receive` runs. It holds no slot meanwhile, and needs one again afterwards.
   * @throws Overloaded where `caller` has reached its limit of waits, before anything is received; or where no slot is
   * free
   */
  async whileReceiving<T>(req: IncomingMessage, caller: string, receive: () => Promise<T>): Promise<T> {
    return await this.#during(req, 'caller', placeIn(this.#transfers, caller), async () => {
      const received = await receive();
      if (this.#isFull()) throw new Overloaded();
      return received;
    });
  }

  /**
   * The caller receives a stream that `send` sends; meanwhile the request holds no slot.
   * @throws Overloaded where `caller` has reached its limit of waits, before anything is sent
   */
  async whileSending(req: IncomingMessage, caller: string, send: () => Promise<void>): Promise<void> {
    await this.#during(req, 'caller', placeIn(this.#transfers, caller), send);
  }

  async #during<T>(
    req: IncomingMessage,
    state: State,
    release: () => void,
    wait: () => Promise<T>,
  ): Promise<T> {
    this.#move(req, state);
    try {
      return await wait();
    } finally {
      release();
      this.#move(req, 'works');
    }
  }

  /** An ended request stays ended. */
  #move(req: IncomingMessage, to: State): void {
    const from = this.#states.get(req);
    if (from === 'over') return;
    this.#states.set(req, to);
    if (from !== undefined) this.#counts[from] -= 1;
    this.#counts[to] += 1;
    const claim = this.#claims.get(req);
    if (claim === undefined) return;
    claim.release?.();
    claim.release = to === 'works' ? this.#works.take(claim.caller) : null;
  }

  #isFull(): boolean {
    const { maxOpenRequests, maxWorkingRequests, maxLoopDelayMs } = this.#limits;
    const { works, waits } = this.#counts;
    return (
      works + waits >= maxOpenRequests ||
      works >= maxWorkingRequests ||
      (maxLoopDelayMs > 0 && this.#loopDelayMs() > maxLoopDelayMs)
    );
  }
}

/** @throws Overloaded */
function placeIn(slots: Slots, caller: string): () => void {
  const release = slots.tryTake(caller);
  if (release === null) throw new Overloaded();
  return release;
}

let measured: (() => number) | undefined;

/** The median of the last half second: a single long step is no overload. One measurement for the process. */
function eventLoopDelayMs(): number {
  measured ??= measureLoop();
  return measured();
}

function measureLoop(): () => number {
  const histogram = monitorEventLoopDelay({ resolution: RESOLUTION_MS });
  histogram.enable();
  let delayMs = 0;
  const look = () => {
    delayMs = Math.max(0, histogram.percentile(50) / 1e6 - RESOLUTION_MS);
    histogram.reset();
  };
  setInterval(look, 500).unref();
  return () => delayMs;
}
