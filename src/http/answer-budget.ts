import type { ServerResponse } from 'node:http';
import type { Request } from 'express';
import { Overloaded } from '../domain/errors.js';
import { BodyBudget } from './body-budget.js';
import { callerAddress } from './middleware/caller-address.js';

/** Answers up to it always go, so that refusals get out: what an address leaves unread of them is bounded by number. */
const SMALL_BYTES = 64 * 1024;
/** Half of it, which one address may have, is several times the largest answer. */
const LIMIT_BYTES = 128 * 1024 * 1024;

/**
 * The bytes of answers that are ready and not taken yet: a caller who reads slowly keeps each of them for minutes. One
 * address gets half of what a process holds of them.
 */
export class AnswerBudget {
  readonly #budget: BodyBudget;

  constructor(limitBytes = LIMIT_BYTES) {
    this.#budget = new BodyBudget(limitBytes);
  }

  /**
   * Counts the body of an answer until its caller has it, or is gone. Comes before any header of the answer, which would
   * stand on the refusal too.
   * @throws Overloaded
   */
  take(req: Pick<Request, 'ip'>, res: ServerResponse, bytes: number): void {
    if (bytes <= SMALL_BYTES || res.closed) return;
    const share = this.#budget.open(callerAddress(req));
    if (!share.grow(bytes)) throw new Overloaded();
    res.once('close', () => share.release());
  }
}
