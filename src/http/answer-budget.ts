import type { ServerResponse } from 'node:http';
import type { Request } from 'express';
import { Overloaded } from '../domain/errors.js';
import { Slots } from '../lib/limits/slots.js';
import { LIMITS } from '../lib/limits/values.js';
import type { Capacity } from '../lib/metrics.js';
import { callerAddress } from './middleware/caller-address.js';

const SMALL_ANSWER_BYTES = 64 * 1024;

/**
 * Bounds the bytes of answers that their clients have not received yet: a slow reader keeps each for minutes. One
 * address gets half of a process's budget.
 */
export class AnswerBudget {
  readonly #bytes: Slots;

  constructor(limitBytes = LIMITS.requests.unreadAnswerBytes) {
    this.#bytes = new Slots({ total: limitBytes, perKey: limitBytes / 2 });
  }

  /** Bytes of answers that are not received yet. */
  get bytes(): Capacity {
    return this.#bytes;
  }

  /**
   * Counts the body of an answer until its client has it or is gone. Call it before setting any header, which the
   * refusal would carry too.
   * @throws Overloaded
   */
  take(req: Pick<Request, 'ip'>, res: ServerResponse, bytes: number): void {
    if (bytes <= SMALL_ANSWER_BYTES || res.closed) return;
    const release = this.#bytes.tryTake(callerAddress(req), bytes);
    if (release === null) throw new Overloaded();
    res.once('close', release);
  }
}
