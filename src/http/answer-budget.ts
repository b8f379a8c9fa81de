import type { ServerResponse } from 'node:http';
import type { Request } from 'express';
import { Overloaded } from '../domain/errors.js';
import { Slots } from '../lib/limits/slots.js';
import { LIMITS } from '../lib/limits/values.js';
import { callerAddress } from './middleware/caller-address.js';

/**
 * The bytes of answers that are ready and not taken yet: a caller who reads slowly keeps each of them for minutes. One
 * address gets half of what a process holds of them.
 */
export class AnswerBudget {
  readonly #bytes: Slots;

  constructor(limitBytes = LIMITS.requests.unreadAnswerBytes) {
    this.#bytes = new Slots({ total: limitBytes, perKey: limitBytes / 2 });
  }

  /**
   * Counts the body of an answer until its caller has it, or is gone. Comes before any header of the answer, which would
   * stand on the refusal too.
   * @throws Overloaded
   */
  take(req: Pick<Request, 'ip'>, res: ServerResponse, bytes: number): void {
    if (bytes <= LIMITS.requests.smallAnswerBytes || res.closed) return;
    const release = this.#bytes.tryTake(callerAddress(req), bytes);
    if (release === null) throw new Overloaded();
    res.once('close', release);
  }
}
