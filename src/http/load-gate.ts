import { monitorEventLoopDelay } from 'node:perf_hooks';
import type { Request, RequestHandler } from 'express';
import type { Config } from '../config/config.js';
import { Overloaded } from '../domain/errors.js';

/** How often the delay is measured anew, and the resolution of the measuring. */
const LOOK_EVERY_MS = 500;
const RESOLUTION_MS = 20;

type Limits = Pick<Config, 'maxOpenRequests' | 'maxWorkingRequests' | 'maxLoopDelayMs'>;

/**
 * Turns requests away before anything is looked at while the process has more to do than it can do soon. What works and
 * what waits for a carrier is bounded apart: a wait costs memory alone, and hundreds of them are no sign of overload.
 */
export class LoadGate {
  readonly #limits: Limits;
  readonly #loopDelayMs: () => number;
  readonly #waiting = new WeakSet<Request>();
  #open = 0;
  #waits = 0;

  /** `loopDelayMs`: by how much the event loop is late at present. */
  constructor(limits: Limits, loopDelayMs?: () => number) {
    this.#limits = limits;
    this.#loopDelayMs = loopDelayMs ?? (limits.maxLoopDelayMs > 0 ? eventLoopDelayMs : () => 0);
  }

  /** Lets a request in, or answers it with {@link Overloaded}. */
  get enter(): RequestHandler {
    return (req, res, next) => {
      if (this.#isFull()) throw new Overloaded();
      this.#open += 1;
      res.once('close', () => {
        this.#open -= 1;
        this.#worksAgain(req);
      });
      next();
    };
  }

  /** The request waits for others until `wait` has ended; meanwhile it does not count as work. */
  async whileWaiting<T>(req: Request, wait: Promise<T>): Promise<T> {
    if (!this.#waiting.has(req) && !req.socket.destroyed) {
      this.#waiting.add(req);
      this.#waits += 1;
    }
    try {
      return await wait;
    } finally {
      this.#worksAgain(req);
    }
  }

  #worksAgain(req: Request): void {
    if (this.#waiting.delete(req)) this.#waits -= 1;
  }

  #isFull(): boolean {
    const { maxOpenRequests, maxWorkingRequests, maxLoopDelayMs } = this.#limits;
    return (
      this.#open >= maxOpenRequests ||
      this.#open - this.#waits >= maxWorkingRequests ||
      (maxLoopDelayMs > 0 && this.#loopDelayMs() > maxLoopDelayMs)
    );
  }
}

let measured: (() => number) | undefined;

/** The median of the last half second: a single long step is no overload. One measuring for the process. */
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
  setInterval(look, LOOK_EVERY_MS).unref();
  return () => delayMs;
}
